// Package host carries out approved requests on this machine. It runs commands, installs packages,
// applies sets of file changes, and receives and forwards pushes.
//
// Run runs a Command; PackageCommand makes one that installs packages. A Tree applies a set of
// Changes to a project folder, all or none. A Staging is the repository between agents and the remote.
//
// The package decides nothing. Callers pass approved requests with the digests of the covered files,
// and host refuses to act if a file has changed (ErrConflict). The agent is the adversary, and may
// write in the project at the same time: host follows no link out of the project. It gives commands a
// clean environment and a deadline, and ends every process that they leave behind.
package host
