// Package mcpclient offers the tools of MCP servers to the agent.
//
// A server is not trusted: what it says of its tools is pinned by a hash, and nothing is
// offered to the model that was not approved as it is now; what a tool answers is foreign
// text; what a server hints about a tool changes no decision. Sizes and times are bounded.
package mcpclient
