// Package egress lets connections out of where agents work: a forward proxy that asks
// before each, and connects to the very address that it checked.
//
// A name is resolved once. What it resolves to is dialed, unless it is this machine, a
// private network or a cloud's metadata and nobody named it. What goes through a tunnel
// has to be for the host that was approved: the server name of the TLS inside says so,
// and a tunnel to port 443 that holds no TLS is closed. Redirects are the client's.
package egress
