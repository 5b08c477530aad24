// Package gateway is the server where remote agents ask and people answer.
//
// Agents and operators have separate muxes: AgentHandler has no route that decides anything, so
// that an agent cannot reach one by mistake or with a stolen path. Every submission, by REST, MCP,
// the proxy or git, becomes a Plan (plan.go): checked fields of one category, from which the
// gateway writes the text that people see. The plan goes through one pipeline (pipeline.go): the
// policy and stored rules, then the mode of the category, then the queue of package approval.
//
// After an approval the gateway decides again, with the rules and the files of that moment. Then it
// carries the plan out: commands, packages, changes of files and pushes through package host
// (execute.go), settings in the store (settings.go). For other requests, such as network access by
// REST, it only returns the answer.
//
// The gateway writes to the audit log before it runs anything, and runs nothing if it cannot. It
// never approves more than the digest of what a person saw. The agent's own words are always marked
// and apart from the gateway's.
//
// New opens a gateway on a store. Handler, OperatorHandler and AgentHandler return its servers, Run
// does the work in the background, and Close ends it.
package gateway
