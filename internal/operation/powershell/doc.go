// Package powershell reads the text of PowerShell and of cmd.exe and tells a Host which
// commands it would run.
//
// It is a light interpreter, not a full one: strings are folded, variables followed and
// pipelines joined as far as that takes no more than one pass. A value that it cannot
// follow is an umpire.Hole. The commands themselves are described by package command.
package powershell
