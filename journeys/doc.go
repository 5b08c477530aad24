// Package journeys has one script per user and door, each a day of using umpire: install,
// first denial, first question, a change of mind, a restart, removal.
//
// Read the scripts (*.txtar) to learn the product; go test runs them with the real programs,
// terminals and pages. README.md explains the commands that they use.
package journeys
