// Package gateway serves the questions of agents to people, and the answers back.
//
// Agents and operators have muxes of their own: on the agents' there is no route that
// decides anything. Every submission goes through one pipeline, whichever door it came
// by: policy and stored rules, then the category's mode, then the queue. What people are
// shown is made here, of checked fields; the agent's own words stand beside it, marked.
package gateway
