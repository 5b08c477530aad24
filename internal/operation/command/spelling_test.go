package command

import (
	"strings"
	"testing"
)

// Rules match an option by each of its names. A name with a Hole may be the option.
func TestSpelled(t *testing.T) {
	for line, want := range map[string]string{
		"git push -f origin f":           "push -f --force origin f",
		"git push --force origin -- -f":  "push -f --force origin -- -f --force",
		"git push --forc origin":         "push --forc -f⟨?⟩ --force⟨?⟩ --force-with-lease⟨?⟩ --force-if-includes⟨?⟩ origin",
		"git -C f push":                  "-C=f f push",
		"git push origin f":              "",
		"git push -of origin":            "push -o=f --push-option=f f origin",
		"git push -o f origin":           "push -o=f --push-option=f f origin",
		"git push --repo=r":              "push --repo=r r",
		"rm -rf a":                       "-r -R --recursive -f --force a",
		"rm --recurs a":                  "--recurs -r -R --recursive a",
		"rm -_r a":                       "-_ -r⟨?⟩ -R⟨?⟩ --recursive⟨?⟩ a",
		"tar xf a":                       "-x --extract --get -f=a --file=a a",
		"terraform plan -destroy":        "plan -destroy --destroy",
		"docker run --privileged=true a": "run --privileged=true true a",
		"aws s3 ls --endpoint a":         "s3 ls --endpoint-url=a --endpoint=a a",
		"sudo -u f rm -r a":              "-u=f --user=f f rm -r a",
		"no-program-has-this-name -rf a": "",
		"git commit -m ⟨?⟩ -a":           "commit -m=⟨?⟩ --message=⟨?⟩ ⟨?⟩ -a --all",
		"npm i -D x":                     "install -D --save-dev x",
		"npm --prefix i add x":           "--prefix=i -C=i --dir=i --cwd=i i install x",
		"npm install i":                  "",
		"npm run i":                      "",
		"npm rm x":                       "uninstall x",
		"npm ci":                         "",
		"pnpm add x":                     "",
		"pnpm i":                         "install",
		"yarn add x":                     "",
		"cargo add x":                    "",
		"git commit -m⟨?⟩ -a":            "commit -m=⟨?⟩ --message=⟨?⟩ -a --all",
	} {
		words := strings.Fields(line)
		c := NewCall(&fakeHost{}, Lookup(words[0]), words[0], Lits(words[1:]...), Stream{})
		if got := strings.Join(c.Spelled(0), " "); got != want {
			t.Errorf("%s\n\tgot  %q\n\twant %q", line, got, want)
		}
	}
}
