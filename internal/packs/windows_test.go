package packs

import (
	"encoding/json"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
)

// On a machine with Windows, paths have drives and backslashes, and clients run command lines with
// PowerShell. Claude Code's Bash tool needs Git for Windows, whose /c/x is C:\x.
func TestOnWindows(t *testing.T) {
	p, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	const home = `C:\Users\dev`
	for _, tt := range []struct {
		platform, tool, field, text string
		want                        umpire.Effect
	}{
		{"claude", "Write", "file_path", home + `\proj\src\a.go`, umpire.Allow},
		{"claude", "Write", "file_path", `C:/Users/dev/proj/src/a.go`, umpire.Allow},
		{"claude", "Write", "file_path", home + `\.bashrc`, umpire.Deny},
		{"claude", "Read", "file_path", home + `\.ssh\id_rsa`, umpire.Deny},
		{"claude", "Bash", "command", `cd /c/Users/dev/proj && rm -rf node_modules && npm ci`, umpire.Allow},
		{"claude", "Bash", "command", `rm -rf "C:\Users\dev\proj\build"`, umpire.Allow},
		{"claude", "Bash", "command", `rm -rf /c/Users/dev`, umpire.Deny},
		{"claude", "Bash", "command", `rm -rf /c`, umpire.Deny},
		{"claude", "PowerShell", "command", `ri ~ -r -fo`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `ri ~ -r -fo`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `rm -rf ~`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `rm -r $env:USERPROFILE\x`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `'x' > $HOME\.bashrc`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `Remove-Item -Recurse .\src`, umpire.Ask},
		{"gemini", "run_shell_command", "command", `if (Test-Path dist) { rm dist -r -fo }`, umpire.Allow},
		{"gemini", "run_shell_command", "command", `rm $env:TEMP\build.log`, umpire.Allow},
		{"gemini", "run_shell_command", "command", `Get-Content C:\Users\dev\proj\a.txt | Select-Object -First 5`, umpire.Allow},
		{"gemini", "run_shell_command", "command", `gci -r | ? Extension -eq '.tmp' | ri`, umpire.Allow},
		{"gemini", "run_shell_command", "command", `gci -r | ? { $_.Name -like '*.bak' } | ri`, umpire.Allow},
		{"gemini", "run_shell_command", "command", `gci -r | ? Name -match '\.orig$' | ri`, umpire.Allow},
		{"gemini", "run_shell_command", "command", `gci -r | ? Extension -eq '.cs' | ri`, umpire.Ask},
		{"gemini", "run_shell_command", "command", `gci -r | ? { $_.Extension -eq '.tmp' -or $true } | ri`, umpire.Ask},
		{"gemini", "run_shell_command", "command", `gci . -r | ? {$_.Name -like '*'} | ri -r -fo`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `gci ~ -r | ? {$_.Extension -like '*.*'} | ri -fo`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `gci ~ -r | ? {$_.Name -eq 'src'} | ri -r -fo`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `gci ~ -r | ? {$_.Name -match '\.$'} | ri`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `gci -r -file | % Delete`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `gci -r | ForEach-Object -MemberName Delete`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `'iex x' >> $PROFILE.CurrentUserAllHosts`, umpire.Ask},
		{"gemini", "run_shell_command", "command", `robocopy $env:TEMP\empty src /PURGE`, umpire.Ask},
		{"gemini", "run_shell_command", "command", `forfiles /s /c "cmd /c del @path"`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `forfiles /s /m *.log /c "cmd /c del @path"`, umpire.Allow},
		{"gemini", "run_shell_command", "command", `cmd /c "for /f %i in ('dir /b /s') do del %i"`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `cmd /c "for /r . %i in (*) do del %i"`, umpire.Deny},
		{"gemini", "run_shell_command", "command", `cmd /c "for /r . %i in (*.obj) do del %i"`, umpire.Allow},
		{"codex", "Bash", "command", `cat src\a.go; git status; npm test 2>&1 | Select-Object -Last 5`, umpire.Allow},
		{"codex", "Bash", "command", `Remove-Item C:\Users\dev\Documents -Recurse -Force`, umpire.Deny},
	} {
		in, err := json.Marshal(map[string]string{tt.field: tt.text, "content": "x"})
		if err != nil {
			t.Fatal(err)
		}
		a := &umpire.Action{Tool: tt.tool, Input: in, Home: home, Dir: home + `\proj`, Workspace: home + `\proj`, Principal: umpire.Principal{Platform: tt.platform}}
		ops := operation.Read(a, operation.Env{})
		if d := p.Decide(a, ops); d.Effect != tt.want {
			t.Errorf("%s %s %s: got %v, want %v; read as %v", tt.platform, tt.tool, tt.text, d.Effect, tt.want, ops)
		}
	}
}
