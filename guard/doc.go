// Package guard checks the texts that go into a language model, come out of it, and come back
// from its tools.
//
// There are three checks. An Input checks the texts of users, an Output the answers of the
// model, and a Sanitizer the output of tools:
//
//	in, out, err := guard.FromConfig(config, guard.Parts{})
//	...
//	if res := in.Check(ctx, guard.Request{Text: question}); res.Verdict == guard.Rejected {
//		return cmp.Or(res.Message, "I cannot help with that.") // do not call the model
//	}
//
// FromConfig builds Input and Output from a configuration file. NewInput and NewOutput take a
// list of stages: Validation, RateLimit, Normalization, Injection, Classification and your own
// for input; PII, SystemPromptLeakage and Patterns for output.
//
// # Pipelines
//
// A pipeline sorts its stages once, and each stage sees the text that the earlier ones left. A
// stage allows, rejects, or changes the text (output stages and Normalization). The first
// rejection ends the pipeline. So does a stage that fails: an error, a panic or a timeout rejects
// with SystemError. Two failures only count, because other checks have judged the text: that of the
// model of Classification, and that of a classifier of Injection with Open.
//
// Stages judge the canonical form of a text (Request.Canonical). Result.Text is the text to pass
// on: the original, without invisible characters and with masks. Result.Changes lists the stages
// that changed it, and why.
//
// Output.Stream checks an answer while the model writes it. It never releases a part of a span
// that a stage masks or stops.
//
// # Limits
//
// The zero values of Verdict, Result, Input, Output and Stream reject. No check of this kind finds every attack: grant
// the model no more rights than you would grant the author of the text.
package guard
