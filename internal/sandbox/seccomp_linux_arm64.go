package sandbox

var refusedHere []uint32
