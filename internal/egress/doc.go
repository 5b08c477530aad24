// Package egress is the forward proxy of the gateway. It asks before each connection, and
// dials exactly the address that it checked.
//
// Agents and the servers they reach are the adversary. A name is resolved once. Addresses of
// this machine, private networks and cloud metadata stay closed, unless a rule names them.
// Traffic in a tunnel must be for the approved host, as the server name of its TLS shows; the
// proxy closes a tunnel to port 443 without TLS.
package egress
