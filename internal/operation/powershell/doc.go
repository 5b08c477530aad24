// Package powershell reads the text of PowerShell and cmd.exe, and reports the commands that
// it would run to a Host.
//
// It is a light interpreter with one pass: it folds strings, follows variables and joins pipelines.
// A value that it cannot follow is an umpire.Hole. Package command describes the commands. The text
// comes from an adversary, so its length and depth are bounded.
package powershell
