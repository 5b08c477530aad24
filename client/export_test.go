package client

import "time"

// A machine that is busy must not keep tests from taking requests back.
func init() { takeBack = time.Minute }
