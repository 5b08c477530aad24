// Package secret puts credentials into requests in the place of what agents see of them.
//
// An agent has a placeholder, which is worth nothing anywhere else: it becomes the
// credential only in a header that the credential is for, of a request to a host that it is
// for, inside of TLS that is verified. What echoes the credential is masked in the answer.
// Credentials are kept in memory, and no error tells one.
package secret
