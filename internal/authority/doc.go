// Package authority makes certificates for hosts, by a CA that is this machine's own.
//
// The CA is a key and a certificate in a folder that only its user reads. Whoever has the
// key can pose as any host to the programs that trust the certificate: it is not copied,
// and not printed. Certificates for hosts are made in memory, and are good for a day.
package authority
