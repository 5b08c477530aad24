// Package host carries out approved requests on this machine. It runs commands, installs packages,
// applies sets of file changes, and receives and forwards pushes.
//
// It decides nothing. Callers pass approved requests with the digests of the covered files, and
// host
// refuses to act if a file has changed (ErrConflict). It follows no link out of the project, gives
// commands a clean environment and a deadline, and ends every process that they leave behind.
package host
