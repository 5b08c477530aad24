// Package authority makes certificates for hosts, with a CA of this machine, for the proxy.
//
// The CA is a key and a certificate in a folder that only its user can read. Anyone with the
// key can impersonate any host to programs that trust the CA, so umpire neither copies nor prints
// it. Host certificates exist only in memory and last a day.
package authority
