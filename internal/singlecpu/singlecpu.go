// Package singlecpu keeps a program that imports it on one processor. A hook's call is one
// line of work, and waking a second processor costs more than it saves. The package imports
// only runtime, so that it takes effect before most other packages initialize. Such a program also
// sets //go:debug updatemaxprocs=0, so that it starts no goroutine that looks for more processors.
package singlecpu

import "runtime"

var _ = runtime.GOMAXPROCS(1)
