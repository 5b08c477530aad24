// Package provider streams answers of language models, from Anthropic's API and from servers
// with OpenAI's chat completions, such as OpenRouter and Ollama.
//
// Servers are not trusted. Answers are limited in size, may break at any byte, and count only
// with their end mark.
package provider
