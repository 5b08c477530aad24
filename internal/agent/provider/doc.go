// Package provider streams answers of language models: of Anthropic's API, and of all that
// speak OpenAI's chat completions, as OpenRouter, Ollama and most gateways do.
//
// Requests are built by the vendors' own SDKs. What comes back is bounded, may come cut at
// any byte and from servers that bend the rules, and is an answer only with its end mark.
package provider
