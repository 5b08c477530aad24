// Package journeys has one script for each kind of user and entry point. Each script is a day of
// using umpire: install, first denial, first question, a change of mind, a restart, removal.
//
// Read the scripts (*.txtar) to learn the product; go test runs them with the real programs,
// terminals and pages. README.md explains the commands that they use.
package journeys
