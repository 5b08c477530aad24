package operation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/policy"
)

// Rules of users hold for what a command line does, in each of its spellings.
func TestPatternsOfUsers(t *testing.T) {
	for pattern, lines := range map[string]string{
		"exec(git push --force *)": `
			deny  git push -f origin a
			deny  git push -fu origin a
			deny  git push origin a -f
			deny  sudo git -C a push -f
			ask   git push --forc origin a
			allow git push --force-with-lease origin a
			allow git push -o f origin a
			allow git push -of origin a
			allow git push -- -f
			allow git pull -f`,
		"git(push -f *)": `
			deny  git push --force origin a
			deny  git push -uf origin a
			allow git push --follow-tags origin a`,
		"exec(rm --recursive *)": `
			deny  rm -rf a
			deny  rm -vR a
			deny  rm --recurs a
			allow rm -f a
			allow rm -- -r`,
		"exec(rm -rf *)": `
			deny  rm -fr a
			deny  rm -r -f a
			deny  rm --recursive --force a
			allow rm -r a`,
		"exec(pip install *)": `
			deny  pip3 install a
			deny  pip3.11 install -U a
			deny  python3 -m pip install a
			deny  .venv/bin/pip3 install a
			allow pip3 list
			allow pipx install a
			allow pipenv install a`,
		"exec(npm install *)": `
			deny  npm i a
			deny  npm add a
			deny  npm -w i isntall a
			deny  sudo npm in -g a
			allow npm ci
			allow npm run i
			allow npm view install
			allow pnpm add a`,
		"exec(npm uninstall *)": `
			deny  npm rm a
			allow npm i rm`,
		"exec(docker compose *)": `
			deny  docker-compose up -d
			deny  docker-compose -f a.yaml down
			allow docker ps`,
		"exec(docker-compose *)": `
			deny  docker-compose up
			allow docker compose up`,
		"exec(curl --output /etc/*)": `
			deny  curl -o/etc/a https://a.example
			deny  curl --output=/etc/a https://a.example
			allow curl -o /tmp/a https://a.example`,
		"network(*.blocked.example)": `
			deny  docker pull r.blocked.example/a
			deny  docker run -it --rm r.blocked.example:5000/a sh
			deny  podman pull docker://r.blocked.example/a
			deny  docker push r.blocked.example/a
			deny  docker build --push -t r.blocked.example/a .
			deny  docker login r.blocked.example
			deny  skopeo inspect docker://r.blocked.example/a
			deny  crane manifest r.blocked.example/a
			deny  helm pull oci://r.blocked.example/a
			deny  helm repo add a https://r.blocked.example
			deny  helm install a b --repo https://r.blocked.example
			deny  svn checkout https://s.blocked.example/a
			deny  svn log https://s.blocked.example/a
			deny  hg clone https://s.blocked.example/a
			deny  bzr branch https://s.blocked.example/a
			deny  jj git clone https://s.blocked.example/a
			deny  vault read -address=https://v.blocked.example a
			deny  vault read --address https://v.blocked.example a
			deny  etcdctl --endpoints a.example:2379,v.blocked.example:2379 get a
			deny  consul kv get -http-addr=v.blocked.example:8500 a
			deny  nomad status -address=https://v.blocked.example
			deny  go get g.blocked.example/a
			deny  go run g.blocked.example/a@latest
			allow docker run --rm -v ./r.blocked.example:/a alpine
			allow docker rmi r.blocked.example/a
			allow docker build -t r.blocked.example/a .
			allow go get ./r.blocked.example/a
			allow helm install a ./charts/r.blocked.example
			allow svn log a/r.blocked.example/b
			allow svn commit -m https://s.blocked.example`,
		"packages(flask)": `
			deny  uv run --with flask python
			deny  uv run --with=six,flask a.py
			deny  uvx --with flask a
			deny  uvx --from flask==2 a
			deny  uv tool run --with flask a
			deny  npx -p flask a
			deny  npm exec --package=flask -- a
			deny  deno add npm:flask
			deny  deno run npm:flask@2/bin
			deny  deno remove flask
			deny  nix-shell -p jq flask
			deny  nix shell nixpkgs#flask
			deny  nix profile install nixpkgs#flask
			deny  guix shell flask -- a
			deny  mise use -g flask@2
			deny  volta install flask
			deny  asdf install flask 2
			allow guix shell jq -- flask
			allow npx -p jq flasks
			allow uv run --with-editable ./flask a.py
			allow mise ls flask`,
	} {
		p := userPolicy(t, "deny "+pattern)
		for line := range strings.Lines(strings.TrimSpace(lines)) {
			want, line, _ := strings.Cut(strings.TrimSpace(line), " ")
			if got := decided(p, strings.TrimSpace(line)); got != want {
				t.Errorf("deny %s: %s: %s, want %s", pattern, line, got, want)
			}
		}
	}
}

// userPolicy returns a policy of one rule of the user, such as "deny exec(a)".
func userPolicy(t *testing.T, rule string) *policy.Policy {
	t.Helper()
	effect, pattern, _ := strings.Cut(rule, " ")
	e, err := umpire.ParseEffect(effect)
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.Compile(policy.Source{Default: umpire.Allow, Rules: []policy.Rule{{ID: "user", Effect: e, Match: []policy.Pattern{policy.MustParse(pattern)}, Layer: policy.User}}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// decided returns the decision on a command line.
func decided(p *policy.Policy, line string) string {
	input, _ := json.Marshal(map[string]string{"command": line})
	a := &umpire.Action{Tool: "Bash", Input: input, Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev", Principal: umpire.Principal{Platform: "claude"}}
	return p.Decide(a, operation.Read(a, operation.Env{})).Effect.String()
}
