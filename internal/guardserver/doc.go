// Package guardserver serves the guard pipelines over HTTP.
//
// Its API is JSON and strict: an unknown field is an error. So is a text that is not
// UTF-8. A text that was judged is answered with 200 whatever the verdict; other statuses
// are problems of the request or the server (RFC 9457), which say what to do next. The
// texts themselves are in no log and no metric.
package guardserver
