// Package guard checks the texts that enter a language model, leave it, and return from its tools.
//
// An Input checks the texts of users, an Output checks the answers of the model, and a Sanitizer
// cleans the output of tools:
//
//	in, out, err := guard.FromConfig(config, guard.Parts{})
//	...
//	if res := in.Check(ctx, guard.Request{Text: question}); res.Verdict == guard.Rejected {
//		return cmp.Or(res.Message, "I cannot help with that.") // do not call the model
//	}
//
// FromConfig builds an Input and an Output from a configuration file. NewInput and NewOutput take a
// list of stages: Validation, RateLimit, Normalization, Injection, Classification and your own for
// input; PII, SystemPromptLeakage and Patterns for output.
//
// # Pipelines
//
// A pipeline runs its stages in their order, and each stage sees the text that the earlier ones
// left. A stage allows, rejects, or changes the text. The first rejection ends the pipeline. A
// stage that fails ends it too: an error, a panic or a timeout rejects with SystemError. Two
// failures do not reject, because other checks have judged the text: a failure of the model of
// Classification, and a failure of the classifier of Injection if Open is set. Result.Hints reports
// them.
//
// Stages judge the canonical form of a text (Request.Canonical). Result.Text is the text to pass
// on: the original, with masks and without invisible characters. Result.Changes lists the stages
// that changed it, and why.
//
// Output.Stream checks an answer while the model writes it. It never releases a part of a span that
// a stage masks or stops.
//
// # Limits
//
// The zero values of Verdict, Result, Input, Output and Stream reject. No check of this kind finds
// every attack: give the model no more rights than you would give the author of the text.
package guard
