// Package chaos kills gateways and their database while agents ask and people answer, and
// looks whether anything was lost, told twice or done twice.
//
// It has tests only. `make test` runs some seconds of it; CHAOS=5m makes it last longer.
package chaos
