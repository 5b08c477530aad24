package model

import "testing"

func TestOllamaHost(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"127.0.0.1":                "http://127.0.0.1:11434",
		"0.0.0.0":                  "http://127.0.0.1:11434",
		"0.0.0.0:8080":             "http://127.0.0.1:8080",
		":8080":                    "http://127.0.0.1:8080",
		"[::]:8080":                "http://127.0.0.1:8080",
		"gpu.lan":                  "http://gpu.lan:11434",
		"https://gpu.example":      "https://gpu.example:443",
		"http://gpu.example/base/": "http://gpu.example:11434/base/",
	} {
		if got := ollamaHost(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
