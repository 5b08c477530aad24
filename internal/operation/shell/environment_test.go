package shell

import (
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// A variable that makes a program load or run code is seen however it is set.
func TestEnvironment(t *testing.T) {
	for _, tt := range []struct {
		set  string // without quotes for the shell
		want umpire.Trait
	}{
		{"LD_PRELOAD=./x.so", umpire.LoadsCode},
		{"ZDOTDIR=./x", umpire.LoadsCode},
		{"GIT_CONFIG_GLOBAL=./x", umpire.LoadsCode},
		{"GIT_EXEC_PATH=./x", umpire.LoadsCode},
		{"DOTNET_STARTUP_HOOKS=./x.dll", umpire.LoadsCode},
		{"MAKEFLAGS=--eval=x", umpire.LoadsCode},
		{"MAKEFLAGS=SHELL=./x", umpire.LoadsCode}, {"MAKEFLAGS='SHELL=/bin/sh SHELL:=./x'", umpire.LoadsCode},
		{"MAVEN_OPTS=-javaagent:x.jar", umpire.LoadsCode},
		{"GIT_SSH=./x", umpire.RunsProgram},
		{"RUSTC_WRAPPER=./x", umpire.RunsProgram},
		{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.sshCommand GIT_CONFIG_VALUE_0=./x", umpire.RunsProgram},
		{"GIT_CONFIG_COUNT=1 GIT_CONFIG_VALUE_0=./x GIT_CONFIG_KEY_0=core.sshCommand", umpire.RunsProgram},
		{"RUSTC_WRAPPER=sccache", 0}, {"MAKEFLAGS=-j8", 0}, {"GIT_CONFIG_GLOBAL=/dev/null", 0}, {"GIT_CONFIG_NOSYSTEM=1", 0}, {"LD_PRELOAD=", 0}, {"PYTHONPATH=lib", 0}, {"GOFLAGS=-mod=mod", 0}, {"MAVEN_OPTS=-Xmx1g", 0}, {"MAVEN_OPTS=-agentlib:jdwp=transport=dt_socket", 0}, {"MAKEFLAGS=-j8 SHELL=/bin/bash", 0}, {"RUSTC_WRAPPER=sccache ", 0}, {"DEPLOY_SSH=yes", 0},
		{"GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=me", 0},
	} {
		for _, text := range []string{tt.set + " make x", "env " + tt.set + " make x", "export " + tt.set + "; make x"} {
			var got umpire.Trait
			for _, op := range Read(text, Env{Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj"}}) {
				got |= op.Traits & (umpire.LoadsCode | umpire.RunsProgram)
			}
			if got != tt.want {
				t.Errorf("%s: %v, want %v", text, got, tt.want)
			}
		}
	}
	deletes := false
	for _, op := range Read(`env 'BASH_FUNC_ls%%=() { rm -rf ~; }' bash -c ls`, Env{Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj"}}) {
		deletes = deletes || op.Kind == umpire.Delete
	}
	if !deletes {
		t.Error("a function of the environment is not read")
	}
}
