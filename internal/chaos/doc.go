// Package chaos tests that gateways lose nothing: it kills gateways and their database while
// agents ask and people answer. It has only tests; `make test` runs some seconds of them, and
// CHAOS=5m more.
package chaos
