package operation_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
)

// A converter without a description writes the last of its files, and only that one. An option
// that names the output, or a program that only looks, leaves no such file.
func TestConverters(t *testing.T) {
	for line, want := range map[string]string{
		"heic-convert in.heic out.jpg":          "out.jpg",
		"csv2json data.csv data.json":           "data.json",
		"pngtobmp --fast in.png out.bmp":        "out.bmp",
		"newtool convert in.abc out.xyz":        "out.xyz",
		"csv2json a.csv b.json --config c.toml": "b.json",
		"newtool merge a.pdf output b.pdf":      "b.pdf",
		"newtool -w a.pcap b.pcap":              "a.pcap",
		"csv2json -o b.json a.csv":              "b.json",
		"newtool song.wav song.opus":            "song.opus",
		"newtool crop in.jpg out.jpg 200":       "out.jpg",
		"csv2json a.csv":                        "",
		"newtool server.crt server.key":         "",
		"newtool --cert a.txt --log a.md":       "a.md",
		"newlint app.js app.ts":                 "",
		"newtool show a.csv b.csv":              "",
	} {
		var wrote []string
		for _, op := range readShell(t, line) {
			if op.Kind == umpire.Write {
				wrote = append(wrote, path.Base(op.Resource))
			}
		}
		if got := strings.Join(wrote, " "); got != want {
			t.Errorf("%s writes %q, want %q", line, got, want)
		}
	}
}

// Files of boards and phones, installers, and folders without a dot are shown.
func TestFilesOfDevices(t *testing.T) {
	for line, file := range map[string]string{
		"newtool build sketch/": "sketch", "adb push app.apk /sdcard/": "app.apk", "adb install app.apk": "app.apk", "adb pull /sdcard/a.mp4 b.mp4": "b.mp4",
		"avrdude -p m328p -U flash:w:fw.hex:i": "fw.hex", "certutil -hashfile app.exe SHA256": "app.exe", "msiexec /i setup.msi /qn": "setup.msi",
	} {
		if !slices.ContainsFunc(readShell(t, line), func(op umpire.Operation) bool { return op.Kind != umpire.Exec && strings.HasSuffix(op.Resource, file) }) {
			t.Errorf("%s hides its file", line)
		}
	}
}
