// Package guard checks the texts that go into a language model, come out of it, and come
// back from its tools.
//
// A pipeline is a list of stages, sorted once. Input and Output run theirs over a text;
// each stage sees what the stages before it left. A stage allows, changes (output only,
// or by normalizing) or rejects. The first rejection ends the pipeline. So does a
// stage that fails: an error, a panic or a deadline rejects with SystemError. There is
// one exception, which says so (Classification's model).
//
// Output.Stream checks an answer while the model still writes it, and releases no part of
// a span that a stage masks or stops.
//
// Stages judge the canonical form of a text (Request.Canonical). Result.Text is what may go
// on: the text as it came, less what nobody sees and what a stage masked. Result.Changes says
// which stage changed it, and why.
package guard
