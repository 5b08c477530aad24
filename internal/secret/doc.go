// Package secret replaces placeholders with credentials in the requests of agents.
//
// An agent has only a placeholder, which is worthless elsewhere. It becomes the credential
// only in a header, for a host that the credential is for, inside verified TLS. Echoes of the
// credential are masked in the answer. Credentials stay in memory, and no error contains one.
package secret
