// Package provider streams answers of language models: of Anthropic's API, and of all that
// speak OpenAI's chat completions, as OpenRouter, Ollama and most gateways do.
//
// Requests are built by the vendors' own SDKs. Responses are bounded. They may come cut at
// any byte and from servers that bend the rules, and count only with their end mark.
package provider
