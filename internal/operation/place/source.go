package place

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// source reports whether the name of a path, relative to its home folder, is that of a source file
// or a text in a project. Personal and hidden folders contain none, except texts for agents.
func source(rest []string) bool {
	if len(rest) < 2 {
		return false
	}
	name := rest[len(rest)-1]
	i := strings.LastIndexByte(name, '.')
	ext := name[i+1:]
	if personal(rest) || anyof.Contains(name, "secret", "credential", "password") {
		return false
	}
	texts := ext == "md" && textsForAgents(rest)
	for at, s := range rest[:len(rest)-1] {
		if s == "" || hasGlob(s) || anyof.Contains(s, "\u27e8", "secret", "credential") || s == "private" || s == "keys" || s == "certs" {
			return false
		}
		if s[0] == '.' && s != ".github" && (at > 0 || !texts) {
			return false
		}
	}
	if i < 0 {
		return name == "makefile" || name == "dockerfile" || name == "license" || name == "readme" || name == "gemfile" || name == "rakefile" || name == "justfile"
	}
	if i == 0 || hasGlob(ext) || strings.ContainsAny(name, "\u27e8") {
		return false
	}
	return writtenByHand(ext) || name == "package.json" || name == "tsconfig.json" || name == "cargo.toml" || name == "pyproject.toml" || name == "requirements.txt"
}

// textsForAgents reports whether a path leads into a hidden folder of the home that contains skills
// or agents.
func textsForAgents(rest []string) bool {
	return strings.HasPrefix(rest[0], ".") && (within(rest, "skills") || rest[0] != ".agents" && strings.Contains(rest[0], "agents") || strings.Contains(rest[0], "skills"))
}

// writtenByHand reports whether a file with this ending is code or prose.
func writtenByHand(ext string) bool {
	return anyof.Equal(ext, "go", "py", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "rs", "java", "kt", "kts", "scala", "swift", "m", "mm", "c", "h", "cc", "cpp", "hpp", "cxx", "cs", "fs", "rb", "php", "lua", "pl", "pm", "r", "jl", "ex", "exs", "erl", "hs", "ml", "clj", "dart", "zig", "nim", "sol", "v", "vhd",
		"html", "css", "scss", "less", "vue", "svelte", "astro", "md", "mdx", "rst", "adoc", "proto", "graphql", "gradle", "cmake", "mod", "sum", "bzl", "sh", "bash", "zsh")
}

// Work reports whether a file of a project was made by people, by its extension: code, prose,
// notebooks, scenes and drawings. A pattern of names counts, too.
func Work(name string) bool {
	name = fold(name)
	i := strings.LastIndexByte(name, '.')
	if i < 0 || i == len(name)-1 {
		return false
	}
	ext := name[i+1:]
	if writtenByHand(ext) {
		return true
	}
	return anyof.Equal(ext, "ipynb", "qmd", "rmd", "sql", "tf", "hcl", "ps1", "groovy", "gd", "tscn", "tres", "gdshader", "unity", "prefab", "uasset", "umap", "blend", "shader", "hlsl", "glsl", "vert", "frag", "psd", "svg", "fig", "sketch", "tex", "docx", "xlsx", "pptx", "odt",
		"storyboard", "xib", "xaml", "razor", "cshtml", "vb", "erb", "haml", "slim", "twig", "eex", "heex", "leex", "hrl", "cljs", "edn", "ino", "asm", "s", "dts", "dtsi", "kicad_pcb", "kicad_sch", "sch", "brd", "yaml", "yml", "toml", "feature", "ui", "qml", "resx", "csproj", "sln", "gleam", "elm", "purs", "agda", "lean", "f90", "cob", "sas", "do", "mdc", "txt", "json", "csv")
}

// personal reports whether a path is in a folder for personal files, and not in a folder named for
// projects.
func personal(rest []string) bool {
	switch rest[0] {
	case "documents", "desktop":
		if len(rest) > 3 {
			if anyof.Equal(rest[1], "github", "gitlab", "projects", "code", "src", "dev", "repos", "git", "workspace") {
				return false
			}
		}
		return true
	case "downloads", "pictures", "photos", "music", "movies", "videos", "library", "mail", "maildir", "private", "personal", "secret", "secrets", "backup", "backups", "dropbox", "onedrive", "google drive", "icloud", "icloud drive", "nextcloud", "owncloud", "public", "appdata", "snap", "finance", "finances", "tax", "taxes", "notes", "vault", "vaults", "obsidian", "journal", "diary", "contacts", "calendars", "keys", "certs", "vpn", "wallet", "wallets", "tmp", "temp", "trash":
		return true
	}
	return false
}
