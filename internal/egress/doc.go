// Package egress lets connections out of where agents work: a forward proxy that asks
// before each, and connects to the very address that it checked.
//
// A name is resolved once. The proxy dials the resolved address, unless it is this
// machine, a private network or a cloud's metadata and nobody named it. Traffic in a tunnel
// must be for the approved host: the server name of the TLS inside says so, and a tunnel to
// port 443 that holds no TLS is closed. Redirects are the client's.
package egress
