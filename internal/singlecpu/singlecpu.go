// Package singlecpu keeps a program that imports it on one processor. A hook's call is one line of
// work: what a second processor would wake up for costs more than it does.
//
// It imports the runtime only, so that it takes effect before most other packages are
// initialised: later, memory is laid out twice.
package singlecpu

import "runtime"

var _ = runtime.GOMAXPROCS(1)
