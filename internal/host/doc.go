// Package host does on this machine what was approved: it runs commands and installs
// packages, and reports what came of it.
package host
