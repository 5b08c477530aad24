// Package mcpclient offers the tools of MCP servers to the agent.
//
// Servers are not trusted. A hash pins the description of each tool, and the model gets only
// tools that a person approved in their current form. A tool's output is untrusted text, and a
// server's hints about a tool change no decision. Sizes and times are limited.
package mcpclient
