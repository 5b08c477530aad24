package powershell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/operation/powershell"
)

// A command is read wherever PowerShell allows one, and so is the line after it. § stands for it.
func TestWrapped(t *testing.T) {
	for _, form := range []string{
		"§", "§;", "$x = 1; §", "§ # b", "<# it's #> §", "if ($x) { § }", "if ($x) {\n§\n}", "if ($x) { } elseif ($y) { § }", "if ($x) { } else { § }", "if (§) { }",
		"foreach ($a in $b) { § }", "foreach ($a in (§)) { }", "for ($i = 0; $i -lt 3; $i++) { § }", "while ($x) { §; break }", "do { § } while ($x)", "do { § } until ($x)", "while (§) { break }",
		"switch ($x) { 1 { § } default { } }", "switch -Regex ($x) { 'a' { } default { § } }", "switch (§) { 1 { } }", "try { § } catch { }", "try { x } catch [A] { § }", "try { x } catch { § } finally { }", "try { x } finally { § }", "trap { § }; x",
		"function f { § }; f", "function f($a, $b = 1) { § }; f 1", "function f { param([string]$a = 'x') § }; f", "function f { begin { § } process { } end { } }; f", "filter f { § }; 1 | f",
		"& { § }", ". { § }", "& { param($a) § } 1", "$f = { § }; & $f", "$f = { § }; $f.Invoke()", "Invoke-Command -ScriptBlock { § }", "icm { § }", "Start-Job { § }", "Measure-Command { § }", "1..3 | ForEach-Object { § }", "1 | % { § }", "1 | ? { § }", "1 | Where-Object { § }", "$x.ForEach({ § })",
		"$x = §", "$x = $(§)", "$x = (§)", "$x = @(§)", "$x = @{ a = (§) }", "[void](§)", "$x = [string](§)", "$null = §", "§ | Out-Null", "§ > $null", "§ 2>&1", "1 | §", "x && §", "x || §", "§ && x", "§ || x",
		"x $(§)", "x (§)", "x @(§)", "x -a (§)", "\"$(§)\"", "\"a $(\"$(§)\") b\"", "$x = \"a`\"b\"; §", "$x = 'it''s'; §", "$x = \"it's\"; §", "$x = @'\nit's\n'@\n§", "$x = @\"\nit's $(§)\n\"@",
		"$x = if ($y) { § } else { 1 }", "$x = switch (1) { 1 { § } }", "return §", "throw (§)", "exit (§)", "$x[(§)]", "$x.y((§))", "-not (§)", "!(§)", "1 + (§)", "(§) -eq 1", "1 -eq (§)", "(§), 1", "1, (§)",
		"class A { [void] m() { § } }; [A]::new().m()", "data { § }", "`\n§", "x `\n  -a 1\n§", "x |\n  §", "#requires -Version 5\n§", "using namespace System\n§", "[CmdletBinding()]\nparam()\n§", "iex '§'", "Invoke-Expression \"§\"", "& ([scriptblock]::Create('§'))", "powershell -c '§'",
		"$x ? (§) : 1", "$x ?? (§)", "workflow f { § }; f", "$ErrorActionPreference = 'Stop'\n§", "$x -match 'it''s'; §", "$x.y = §", "$x['a'] = §", "$x += §", "$a, $b = §, 1", "Start-Process x; §", "cd /; §",
	} {
		text := strings.ReplaceAll(form, "§", "Remove-Item a") + "\nRemove-Item b"
		var l log
		powershell.Read(text, &l)
		read := strings.Join(l.lines, "\n")
		if !strings.Contains(read, "run remove-item a") && !(strings.HasPrefix(form, "powershell") && strings.Contains(read, "Remove-Item a")) {
			t.Errorf("the command is not read in\n%s\nread are %q", text, l.lines)
		}
		if !slices.Contains(l.lines, "run remove-item b") {
			t.Errorf("the line after it is not read in\n%s\nread are %q", text, l.lines)
		}
	}
}
