// Package guardserver serves the guard over HTTP as a strict JSON API: an unknown field, or text
// that is not UTF-8, is an error.
//
// A judged text gets status 200 with any verdict. Other statuses are problems of the request or the
// server (RFC 9457) and name the next step. No log and no metric contains a text, because texts may
// contain personal data.
package guardserver
