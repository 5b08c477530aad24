package command

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// cmakeTask reports whether cmake only configures a build or builds. No setting may name a program,
// except for well-known compilers and launchers.
func (c *Call) cmakeTask() bool {
	if c.Has("-E", "-P", "-C", "--install", "-T", "--debugger-pipe", "--find-package") || c.starts("--debugger") {
		return false
	}
	for i, w := range c.Args {
		t := w.Text
		if i > 0 && anyof.Equal(c.Args[i-1].Text, "-t", "--target") && !ownTask(t) { // such as the target install
			return false
		}
		setting, ok := strings.CutPrefix(t, "-D")
		if ok && setting == "" && i+1 < len(c.Args) {
			setting = c.Args[i+1].Text
		}
		if ok && !plainSetting(setting) {
			return false
		}
	}
	return c.Has("--build", "--preset", "-B") || len(c.Operands) == 1 && strings.Trim(c.Operands[0].Text, "./") == ""
}

// plainSetting reports whether a setting of cmake is a switch, a plain name or a toolchain file,
// and names no program except a well-known compiler or launcher.
func plainSetting(setting string) bool {
	name, v, _ := strings.Cut(setting, "=")
	name, _, _ = strings.Cut(name, ":")
	if anyof.Equal(strings.ToUpper(v), "ON", "OFF", "1", "0", "TRUE", "FALSE", "YES", "NO") {
		return true
	}
	if name == "CMAKE_TOOLCHAIN_FILE" {
		return strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+") == ""
	}
	if anyof.Equal(name, "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_Fortran_COMPILER") {
		return anyof.Equal(v, "gcc", "g++", "clang", "clang++", "cc", "c++", "gfortran")
	}
	if anyof.Equal(name, "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER") {
		return anyof.Equal(v, "ccache", "sccache")
	}
	return !Influential(strings.TrimPrefix(name, "CMAKE_"), true) && !strings.Contains(name, "ARGS") && strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+,") == ""
}
