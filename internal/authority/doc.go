// Package authority makes certificates for hosts, by a CA that is this machine's own.
//
// The CA is a key and a certificate in a folder that only its user reads. With
// the key, an attacker can pose as any host to programs that trust the certificate: umpire
// neither copies nor prints it. Certificates for hosts are made in memory, and are good for a day.
package authority
