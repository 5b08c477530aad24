// Package secret puts credentials into requests in the place of what agents see of them.
//
// An agent has a placeholder, which is worthless anywhere else. It becomes the credential only
// in a header and for a host that the credential is for, inside verified TLS. Echoes of the
// credential are masked in the answer.
// Credentials are kept in memory, and no error tells one.
package secret
