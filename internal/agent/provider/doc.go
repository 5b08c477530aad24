// Package provider streams answers of language models, from Anthropic's API and from servers
// with OpenAI's chat completions, such as OpenRouter and Ollama.
//
// A server is not trusted. Answers are bounded, may be cut at any byte, and count only with
// their end mark.
package provider
