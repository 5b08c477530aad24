package command_test

import "testing"

func TestPackageManagers(t *testing.T) {
	for text, want := range map[string]string{
		"npm i https://x.example/a.tgz":          "packages(npm install https://x.example/a.tgz) untrusted-source",
		"npm unpublish left-pad -f":              "packages(npm unpublish left-pad) irreversible",
		"npm i -g https://x.example/a.tgz":       "packages(npm install https://x.example/a.tgz) untrusted-source,global",
		"npm i -g left-pad":                      "packages(npm install left-pad) global",
		"pip install git+https://x.example/a":    "packages(pip install git+https://x.example/a) untrusted-source",
		"python3 -m pip install git+https://x/a": "packages(pip install git+https://x/a) untrusted-source",
		"cargo publish":                          "packages(cargo publish)",
		"apt-get -y remove --purge curl":         "packages(apt-get remove curl)",
		"npm exec -c 'rm -rf ~/x'":               "delete(/home/dev/x) recursive",
		"uv run rm -rf /home/dev/x":              "delete(/home/dev/x) recursive",
		"go test -exec 'rm -rf /home/dev/x' .":   "delete(/home/dev/x) recursive",
		"go build -toolexec 'rm -r /home/dev/x'": "delete(/home/dev/x) recursive",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
}

func TestPackagesOnlyLook(t *testing.T) {
	for _, text := range []string{
		"npm ls -g", "npm view left-pad", "pip list", "pip show x", "apt-cache search curl", "brew info jq", "cargo search x", "npm config get registry", "npm publish --dry-run",
	} {
		t.Run(text, func(t *testing.T) { wantQuiet(t, text) })
	}
}
