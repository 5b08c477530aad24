// Package mcpclient offers the tools of MCP servers to the agent.
//
// A server is not trusted. A hash pins the descriptions of its tools, and the model gets only
// tools that were approved as they are now. Answers of a tool are foreign text, and a server's
// hints about a tool change no decision. Sizes and times are bounded.
package mcpclient
