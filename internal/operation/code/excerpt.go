package code

import (
	"slices"
	"strings"
)

// MaxText is the size of the part of a program that Read reads, in bytes.
const MaxText = maxText

// excerptMarks occur in long programs where they start programs, remove files or name secrets.
var excerptMarks = [...]string{
	"child_process", "execSync", "spawnSync", "execFile", "rmSync(", "rmdirSync(", "unlinkSync(", "homedir(", "HOME", "Bun.spawn", "Deno.Command", "exec.Command", "Command::new", "RemoveAll(", "remove_dir_all(", "UserHomeDir(", "home_dir(",
	".ssh", ".aws", "id_rsa", "id_ed25519", "rm -r", "curl ", "wget ", "|sh", "| sh", "|bash", "| bash", "/dev/tcp/",
}

// excerptWindow is the size of the text around a mark that is kept, in bytes.
const excerptWindow = 200

// Excerpt returns the parts of a long program around these marks, each from the beginning of a
// nearby statement. It takes linear time. whole is false if there are too many parts; Excerpt then
// returns only the first ones.
func Excerpt(text string) (parts string, whole bool) {
	type window struct{ from, to int }
	var windows []window
	for _, mark := range excerptMarks {
		for at, n := 0, 0; n < 512; n++ {
			i := strings.Index(text[at:], mark)
			if i < 0 {
				break
			}
			at += i
			from, to := max(at-excerptWindow, 0), min(at+len(mark)+excerptWindow, len(text))
			if i := strings.LastIndexAny(text[from:at], ";\n"); i >= 0 {
				from += i + 1
			}
			windows = append(windows, window{from, to})
			at = to
		}
	}
	slices.SortFunc(windows, func(a, b window) int { return a.from - b.from })
	var out strings.Builder
	end := 0
	for _, w := range windows {
		if w.to <= end {
			continue
		}
		if out.Len()+w.to-w.from > maxText-2 {
			return out.String(), false
		}
		if w.from > end {
			out.WriteString("\n;")
		}
		out.WriteString(text[max(w.from, end):w.to])
		end = w.to
	}
	return out.String(), true
}
