// Package gateway serves the questions of agents to people, and the answers back.
//
// Agents and operators have muxes of their own: on the agents' there is no route that
// decides anything. Every submission goes through one pipeline, whichever door it came
// by: policy and stored rules, then the category's mode, then the queue. Texts for
// people are made here, of checked fields; the agent's own words stand beside them, marked.
package gateway
