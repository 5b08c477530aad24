// Package docs holds the documents of umpire. Its test runs the commands in them, compares
// the output they show, and loads the example files as umpire does.
package docs
