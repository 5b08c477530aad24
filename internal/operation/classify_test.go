package operation_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
)

func readShell(t *testing.T, command string) []umpire.Operation {
	t.Helper()
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	a := &umpire.Action{Tool: "Bash", Input: input, Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev", Temp: "/tmp"}
	return operation.Read(a, operation.Env{})
}

// natures are the traits that every program of a command line has.
func natures(ops []umpire.Operation) umpire.Trait {
	all := umpire.Described | umpire.ProjectCode
	n := 0
	for _, op := range ops {
		if op.Kind == umpire.Exec {
			n++
			if all &= op.Traits; all == 0 {
				return 0
			}
		}
	}
	if n == 0 {
		return 0
	}
	return all
}

// A call is described only if its operations are all that it does, and project code only if it
// runs the project's own code. Each class has look-alikes beside it.
func TestClassify(t *testing.T) {
	const described, project = umpire.Described, umpire.ProjectCode
	for _, c := range []struct {
		class string
		want  umpire.Trait
		is    []string
		not   []string
	}{
		{class: "programs that only print what they read", want: described,
			is:  []string{"cat a", "grep -rn x . | sort | uniq -c", "ls -la /etc", `head -n "$N" a`, "/usr/bin/wc -l a", "jq .a b", "find . -name '*.go' -type f", "sed -n '1,20p' a", "sed 's/[/]/x/g; /^#/d' a", "awk '{print $2}' a", "tar tf a.tar", "echo a"},
			not: []string{"./cat a", "/tmp/cat a", "../bin/grep x a", "catt a", "$X a", "c?t a", "jq -n env", "jq -n '$ENV'", "sed -f a b", "sed 's/a/b/e' c", "sed '1w d' c", `sed "$X" c`, "awk -f a b", `awk "$X" b`, "awk '@load \"x\"' b", "less -o a b", "tail -f /dev/zero"}},
		{class: "options of such programs that run, write or load", want: described,
			not: []string{"rg --pre ./x y", "sort --compress-program=./x a", "sort --compress-prog ./x a", "tar -cf a.tar --checkpoint=1 --checkpoint-action=exec=./x .", "tar -I ./x -xf a.tar", "tar --to-command=./x -xf a.tar", "less '+!./x' a", "file -C -m a", "tree -o a", "hostname x", "date -s 1970-01-01", "curl -K a http://localhost/", "curl --unix-socket /run/x http://localhost/", "curl --resolve localhost:80:192.0.2.1 http://localhost/"}},
		{class: "queries of packages and tables", want: described,
			is: []string{"rpm -q x", "rpm --query x", "rpm -qi x", "rpm -q -i x", "rpm -ql x", "rpm -qf /x", "duckdb a.db 'select 1'", "duckdb -c 'select 1'", "duckdb -s 'select 1'", "duckdb a.db -json -c 'select 1'", "duckdb :memory: 'select 1'"},
			not: []string{"rpm -i x.rpm", "rpm -U x.rpm", "rpm -e x", "rpm -qa --pipe sh", "rpm -q --eval x", "duckdb", "duckdb a.db", "duckdb -c", "duckdb -c 'select 1' -c 'select 2'", "duckdb -init x -c 'select 1'", "duckdb -c 'drop table x'",
				"duckdb /etc/x.db 'select 1'"}},
		{class: "scripts of the project, with options of the interpreter before them", want: project,
			is:  []string{"node x.js", "node --test", "node --test x.js", "node --watch x.js", "node --no-warnings x.js", "node --enable-source-maps --test x.js", "node --experimental-strip-types x.ts", "Rscript --vanilla x.R", "node x.js -r y"},
			not: []string{"node -r ./y.js x.js", "node --import ./y.js x.js", "node --test -r ./y.js x.js", "node y x.js", "node --test=x x.js"}},
		{class: "short code over files of the project", want: project,
			is:  []string{"perl -ne 'print if /x/' a.txt", "perl -ne 'print if /x/' src/*.txt", "perl -ne 'print if /x/' src/a*.txt b"},
			not: []string{"perl -ne 'print if /x/' *.txt", "perl -ne 'print if /x/' a*", "perl -ne 'print if /x/' src/a?", "perl -ne 'print if /x/' [ab].txt", "perl -ne 'print if /x/' 'ls|'", "perl -ne 'print if /x/' '>x'", "perl -ne 'print if /x/' /etc/x", "perl -ne 'print if /x/' -- -i"}},
		{class: "words that may turn out to be options", want: described,
			is:  []string{"sort ./*.txt", "find . -name '*'", "find . -name '*.go' | xargs rg foo", `cat "$X"`, `grep foo $X`},
			not: []string{"sort *", "tar cf /tmp/a.tar *", "find . -name *", `find "$X"`, `sort $X`, `rg foo "$X"`, `sed -n p *`, "git ls-files | xargs rg foo", "git ls-files '*.go' | xargs tar cf /tmp/a.tar", "find * | xargs rg foo", "ls | xargs sort"}},
		{class: "git that reads, or changes what can be told", want: described | project,
			is:  []string{"git status", "git log --oneline -5", "git -C sub diff", "git --no-pager show HEAD", "git commit -m x", "git switch -c x", "git grep -n x", "git stash show -p"},
			not: []string{"git -c core.pager=./x log", "git -c core.fsmonitor=./x status", "git --git-dir=/tmp/x/.git status", "git --exec-path=/tmp/x status", "git -C /tmp/x status", "cd /tmp/x && git status", "git diff --ext-diff", "git diff --ext-d", "git diff --textconv", "git grep -O./x y", "git grep --open-files=./x y", "git fetch ext::./x", "git fetch --upload-pa ./x o", "git difftool -x ./x", "git bisect run ./x", "git rebase -x ./x main", "git st", "git -p log", "git cat-file --filt HEAD:x", `git log "$X"`}},
		{class: "the project's build, tests, linters and scripts", want: project,
			is:  []string{"go test ./...", "go build -o out ./cmd/x", "npm test", "npm run lint", "yarn build", "make test V=1", "make -C sub test", "pytest -q tests", "python -m pytest", "python3 tools/x.py", "node x.js", "cargo test", "./gradlew test", "node_modules/.bin/tsc --noEmit", "./scripts/test.sh", "mvn -q verify", "uv run pytest", "npx eslint .", "bash scripts/test.sh", "eslint src", "cmake --build build"},
			not: []string{"go run example.org/x@latest", "npm run deploy", "npm run release:all", "make deploy", "make install", "mvn deploy", "mvn exec:exec", "python3 -m pip install x", "python3 -m http.server", "npx x", "./x", "./make test", "./npm test", "bin/pytest", "node_modules/.bin/x", "cmake -E rm a", "cargo install x", "gradle publish"}},
		{class: "builds with plain settings", want: project,
			is:  []string{"cmake -B build -DCMAKE_BUILD_TYPE=Release", "cmake -B build -DX=ON -DCMAKE_C_COMPILER=clang -DCMAKE_C_COMPILER_LAUNCHER=ccache", "cmake -B build -DCMAKE_TOOLCHAIN_FILE=tools/arm.cmake"},
			not: []string{"cmake -B build -DCMAKE_C_COMPILER=./x", "cmake -B build -DCMAKE_C_COMPILER_LAUNCHER=./x"}},
		{class: "a graphics card that is asked how it is doing", want: described,
			is:  []string{"nvidia-smi -L", "nvidia-smi --query-gpu=name --format=csv"},
			not: []string{"nvidia-smi -pm 1"}},
		{class: "settings that lie elsewhere, or name a program", want: project,
			not: []string{"go test -exec ./x ./...", "go test -exec=rm ./...", "go build -toolexec=./x ./...", "go vet -vettool=./x ./...", "go build -C /tmp/x ./...", "go build -modfile=/tmp/go.mod ./...", "go build -overlay=o.json ./...", "go build -ldflags=-extld=./x ./...", "make -f /tmp/x", "make -f../x", "make -C /tmp/x", "make -I/tmp/x", "make SHELL=./x", "make FOO='$(shell ./x)' test", "make --eval='$(shell ./x)'", "npm --prefix /tmp/x test", "npm test --script-shell=./x", "pytest /tmp/x", "pytest --rootdir=/tmp/x", "pytest -c/tmp/x.ini", "cargo --config build.rustc-wrapper=x build", "cargo build --manifest-path /tmp/x/Cargo.toml", "python3 /tmp/x.py", "python3 -i x.py", "node -r ./x a.js", "gradle -I x test", "uv run --with x pytest", "cd /tmp/x && make", "cd .. && npm test"}},
		{class: "the environment", want: described | project,
			not: []string{"PATH=/tmp/x:$PATH ls", "export PATH=/tmp/x:$PATH; git status", "PATH=/tmp/x; ls", "LD_LIBRARY_PATH=/tmp/x ls", "RIPGREP_CONFIG_PATH=/tmp/c rg x", "GIT_DIR=/tmp/x git status", "GIT_CONFIG_COUNT=1 git log", "GOFLAGS=-toolexec=./x go test ./...", "CC=./x go build ./...", "PYTEST_ADDOPTS=-px pytest", "npm_config_prefix=/tmp/x npm test", "PYTHONPATH=/tmp/x python3 x.py", "RUSTFLAGS=-Clinker=./x cargo build", "X_HELPER=./x make", "env PATH=/tmp/x ls", "JAVA_HOME=/tmp/x ./gradlew test", "BASH_ENV=./x bash -c ls"}},
		{class: "names that find something else", want: described | project,
			not: []string{"alias ls=./x; ls", "hash -p /tmp/x ls; ls", "enable -f ./x.so ls; ls", "ls() { ./x; }; ls", "source /tmp/x", ". ./x", `eval "$X"`, "exec ./x"}},
		{class: "what carries other commands", want: described,
			is:  []string{"bash -c 'ls'", "xargs grep x", "timeout 5 ls", "env ls", "find . -exec grep x {} +", "if ls; then cat a; fi"},
			not: []string{`bash -c "$X"`, "bash --rcfile ./x -ic ls", "xargs ./x", "timeout 5 ./x", "env -S './x y'", "env ./x", "find . -exec ./x {} +", "fd -x ./x", "ls; ./x", "ls | ./x", "ls & ./x", "cat <(./x)", "ls $(./x)", "if ls; then ./x; fi", "awk 'BEGIN{system(\"./x\")}'", "awk '{print | \"./x\"}' a", "watch ./x", "watch -x sh -c \"$X\"", "parallel ls ::: a", "nohup ./x"}},
		{class: "Python that a script of the project may hold as well", want: project,
			is: []string{`python3 -c "import json; print(json.load(open('a.json'))['b'])"`, `python3 -c "print(1+1)"`, "python3 - <<'X'\nimport re, sys\nfor l in open('a'):\n    print(re.sub('x', 'y', l))\nX", `python3 -c "import plistlib; print(plistlib.load(open('a.plist', 'rb')))"`, `python3 -c "print('✓ größer → да 中')"`,
				`python3 -c "import foo; foo.run()"`, `python3 -c "if 1: import foo"`, "python3 -c 'from foo.bar import (a,\n b as c)\nprint(a, c)'", `python3 -c "open('x','w')"`, `python3 -c "getattr(1,'x')"`, `python3 -c "import traceback"`, `python3 -c "import subprocess; print(subprocess.check_output(['pytest', '-q']))"`, `python3 -c "import sys; sys.path.insert(0, 'src'); import foo"`,
				`python3 -c "from pathlib import Path; p = Path('a'); p.write_text(p.read_text().replace('b', 'c'))"`, `python3 -c "import os; os.environ['DEBUG'] = '1'; print(os.path.exists('a'))"`, `python3 -c "x = 'import os; os.system(1)'; print(f'{x} {1+1:>3} {{')"`, "PYTHONPATH=src python3 -c 'import foo'", "PYTHONPATH=.:sub python3 -m pytest", "python3 -m foo.cli --list", "uv run python -c 'import foo'"},
			not: []string{`python3 -c "import os; os.system('x')"`, `python3 -c "import os as o; o.remove('x')"`, `python3 -c "from os import remove; remove('x')"`, `python3 -c "o=open; o('x','w')"`, `python3 -c "open('x',*m)"`, `python3 -c "open('x',mode=m)"`, `python3 -c "eval('1')"`, `python3 -c "().__class__"`, `python3 -c "import random; random._os.remove('x')"`, `python3 -c "import glob; glob.os.remove('x')"`, `python3 -c "import sys; sys.modules['os'].remove('x')"`, `python3 -c "import sys; sys.path.insert(0,'/tmp')"`, "python3 -c \"\uff45val('1')\"", "python3 -c \"\u212fval('1')\"", "python3 -c \"o\U0001d4c5en('x','w')\"", "python3 -c \"e\u1d5bal('1')\"", "python3 -c \"exe\u217d('1')\"", "python3 -c \"\u00aa\"", "python3 -c \"import o\u017f; o\u017f.remove('x')\"", `python3 -c "from pathlib import Path; Path('a').replace('b')"`, `python3 -c "from pathlib import Path; [*map(Path.unlink, x)]"`, `python3 -c "$X"`, "cd /tmp/x && python3 -c 'import json'",
				`python3 -c "getattr(foo, x)"`, `python3 -c "getattr(foo, 'sys' + 'tem')"`, `python3 -c "getattr(foo, '__globals__')"`, `python3 -c "import foo; foo.os.system('x')"`, `python3 -c "from foo import subprocess"`, `python3 -c "from foo import os as x"`, `python3 -c "import subprocess as s; s.run('x')"`, `python3 -c "from subprocess import run"`, `python3 -c "import subprocess; f = subprocess.run"`, `python3 -c "import subprocess; subprocess.run('x', shell=True)"`, `python3 -c "import requests; requests.get('x')"`, `python3 -c "import foo, socket"`, `python3 -c "import boto3"`, `python3 -c "import urllib.request"`, `python3 -c "import pickle"`,
				`python3 -c "from pathlib import *; Path('a').open('w')"`, `python3 -c "foo.open('w')"`, `python3 -c "foo().write_text('x')"`, `python3 -c "from pathlib import Path; p = Path('a'); p = foo; p.write_text('x')"`, `python3 -c "print(f'{foo.os.system(1)}')"`, `python3 -c "print(f'{eval(x)}')"`, `python3 -c "print(f'{\"}\" + eval(x)}')"`, `python3 -c "import os; print(os.environ['HOME'])"`, `python3 -c "import os; os.environ['PATH'] = '.'"`, `python3 -c "foo.save('/home/dev/.bashrc')"`, `python3 -c "foo.save('~/.bashrc')"`, `python3 -c "foo.load('/etc/shadow')"`, "python3 -c 'x = \"a\nimport os\"'", "PYTHONPATH=.. python3 -m pytest", "PYTHONPATH=src:/tmp/x python3 -m pytest", "PYTHONPATH=$X python3 -m pytest", "python3 -m twine.x", "python3 -m foo", `python3 -c "1 .real; 1.__class__"`, `python3 -c "lambda: (yield).f_globals"`, `python3 -c "import inspect; inspect.currentframe().f_back.f_builtins"`}},
		{class: "tasks by their names", want: project,
			is:  []string{"python3 reproduce.py", "node products.js", "node scripts/async-queue.js", "node scripts/relationship.js", "npm run dropdown", "make transcript", "TRANSCRIPT_DEBUG=1 node x.js", "python manage.py test a", "python -m django test"},
			not: []string{"python3 deploy_all.py", "npm run db:reset", "npm run resetdb", "node seed.js", "node seedDB.js", "npm run prepublishOnly", "make pushAll", "npm run hardreset", "make repush", "node dropDatabase.js", "npm run ship", "X_SCRIPT=./x node x.js", "python manage.py flush", "python manage.py migrate", "python manage.py runserver 0.0.0.0:8000"}},
		{class: "questions about the program itself", want: described,
			is:  []string{"dotnet --version", "gradle --help", "pnpm -v"},
			not: []string{"./node --version", "PATH=/tmp/x:$PATH node -v", "nobodysprogram --help", "npx x --help", "docker run x --version", "node -v a.js", "make deploy --help", "yarn deploy --help"}},
		{class: "values of find's tests", want: described,
			is:  []string{`find . -name "$X"`, `find . -newermt "$D" -type f`, `find src -mtime "+$N"`},
			not: []string{`find . -name $X`, `find "$X" -name a`, `find . "$X"`, `find . -name a "$X"`, `find . -exec "$X" {} +`, `find . -name "$X" -delete -fprint a -exec ./x {} +`, `find . -fprint "$X" "$Y"`, `find . -true "$X"`}},
		{class: "programs that cut, trace and look up", want: described,
			is:  []string{"split -l 10 a.txt part_", "split a", "top -b -n 1", "dig +short example.com", "readelf -h a", "plutil -p a.plist", "rtk git status", "nm a"},
			not: []string{"split --filter=./x a", "split --fil=./x a", "split a ../x", "split a .github/x", "split --additional-suffix=.yml a x", "cd /tmp/x && split a", "dig axfr example.com", "dig -f a", "dig -k k example.com", "nm --plugin=./x.so a", "nm --plug ./x.so a", "plutil -convert xml1 a.plist", "rtk init -g", "rtk ./x", "rtk proxy ./x", "rtk read a", "rtk"}},
		{class: "images of the project", want: project,
			is:  []string{"docker build .", "docker build -t x:1 -f docker/Dockerfile .", "docker compose build web", "docker compose -f docker-compose.dev.yml build", "terraform fmt", "terraform validate"},
			not: []string{"docker build https://example.org/x.git", "docker build ..", "docker build -f /tmp/Dockerfile .", "docker build --network=host .", "docker build --allow security.insecure .", "docker build --ssh default .", "docker build --secret id=a,src=/home/dev/.ssh/id_rsa .", "docker build --secret=id=a,env=T .", "docker build -o type=local,dest=. .", "docker build --push .", "docker build --build-context a=/ .", "docker build --build-arg T=$TOKEN .", "docker -H tcp://h build .", "docker --context prod build .", "docker buildx build --push .", "docker compose up", "docker compose run web sh", "docker compose -f /tmp/x.yml build", "docker compose --project-directory / build", "docker run x build", "DOCKER_HOST=tcp://h docker build .", "DOCKER_HOST=tcp://h docker ps", "KUBECONFIG=/tmp/x kubectl get pods", "COMPOSE_FILE=/tmp/x docker compose build", "terraform -chdir=/tmp/x validate", "terraform apply", "terraform plan", "terraform console"}},
		{class: "a cluster's client that only looks", want: described,
			is:  []string{"kubectl get pods -n web -o wide", "kubectl get deploy,svc -A", "kubectl logs web-1 --tail=50", "kubectl rollout status deploy/web", "kubectl version --client", "docker compose -f dev.yml logs web"},
			not: []string{"kubectl get secrets", "kubectl get secret/x", "kubectl get pods,secrets", "kubectl get all", "kubectl get cm", "kubectl get pods -o yaml", "kubectl get pods -ojson", "kubectl get pods -o jsonpath={.x}", "kubectl get -f x.yml", "kubectl get --raw /api", "kubectl --kubeconfig=/tmp/x get pods", "kubectl --context prod get pods", "kubectl --server=https://x.example get pods", "kubectl --token=x get pods", "kubectl get pods --as=root", "kubectl exec web -- ls", "kubectl delete pod x", "kubectl rollout restart deploy/web", "kubectl config view --raw", "kubectl describe secret x", "kubectl get", "kubectl x", "docker compose -f dev.yml exec web sh", "docker compose -f /tmp/x.yml logs"}},
		{class: "clients that only look", want: described,
			is:  []string{"gh pr view 1", "gh run list", "docker ps -a", "docker compose logs web", "npm ls", "npm view x", "go list ./...", "rpm -qa", "unzip -l a.zip"},
			not: []string{"gh pr merge 1", "gh api -X DELETE repos/x/y", "gh api repos/x/y -f a=b", "gh api graphql", "gh search code 'a\nb'", "npm view 'a\nb'", "gh auth token", "gh auth status --show-token", "docker inspect x", "docker -H tcp://h ps", "docker compose up", "docker exec -u root x ls", "npm config set a b", "npm audit fix", "go env -w GOFLAGS=-x", "kubectl get secrets"}},
		{class: "files that an option names, or a list", want: described,
			is:  []string{"git blame main.go", "git notes show", "git config --get user.name", "git diff HEAD~1 main.go", "awk 'BEGIN{while((getline l < \"a\") > 0) print l}'", "wc -l a", "cat .gitignore", "ls -d .*", "find . -type f | xargs wc -l", "mkdir -p a/b /tmp/x", "ps aux", "ps -ef", "ps -u dave", "ps -o pid,cmd -p 1"},
			not: []string{"tar -T list -cf /tmp/a.tar", "sort --files0-from=list", "wc --files0-from=list", "du --files0-from list", "tree --fromfile a", "cat .*", "head -n 5 .*", "cat .[a-z]*", "grep x .*", "find . -name '*.env' | xargs cat", "git apply --unsafe-paths x.patch", "mkdir -p /etc/cron.d/x", "mkdir -p ~/.config/autostart", "ps e", "ps eww", "ps axe -ww", "ps -A e"}},
		{class: "code, credentials and ways out beside the project's own code", want: described | project,
			is: []string{"pylint src", "pytest -q", "python3 tools/report.py --out a", "node x.js --install-hint", "ps -e", "test -n \"$GITHUB_TOKEN\"", "[ -z \"$API_KEY\" ]", "ninja all", "cmake --build build --target all", "bash scripts/test.sh unit"},
			not: []string{"pylint --init-hook 'import os; os.system(\"./x\")' .", "pylint --init-hook=x .", "pylint --init-hoo=x .", "mypy --install-types --non-interactive .", "pytest --pastebin=all", "npx rollup -p '{buildStart(){x()}}' x", "npx cypress run --record --key x", "python3 deploy.py", "python3 scripts/deploy_prod.py", "node deploy.js", "bash deploy.sh", "bash scripts/release.sh", "bun run deploy.ts", "npx tsx publish.ts", "python3 setup.py upload", "npm run rollout", "ninja install", "cmake --build build --target install", "cmake --build build -t install",
				"echo $AWS_SECRET_ACCESS_KEY", "printf %s \"$GITHUB_TOKEN\"", "echo \"$GITHUB_TOKEN\" | base64", "cat <<< \"$OPENAI_API_KEY\"", "export http_proxy=http://192.0.2.1; curl http://localhost/x", "http_proxy=http://192.0.2.1 curl http://localhost/", "all_proxy=socks5://192.0.2.1 npm view x", "x='a[$(./x)]'; echo ${s:x:1}", "x='a[$(./x)]'; echo ${s:0:x}"}},
	} {
		for _, s := range c.is {
			if got := natures(readShell(t, s)); got&c.want == 0 {
				t.Errorf("%s: %s: %v", c.class, s, readShell(t, s))
			}
		}
		for _, s := range c.not {
			if got := natures(readShell(t, s)); got&(described|project) != 0 {
				t.Errorf("%s: %s is taken for harmless: %v", c.class, s, readShell(t, s))
			}
		}
	}
}

// git config -f reads and writes any file, not the repository's settings alone.
func TestGitConfigFile(t *testing.T) {
	for command, want := range map[string]umpire.Kind{"git config -f ~/.bashrc alias.x y": umpire.Write, "git config --file=/etc/shadow --list": umpire.Read, "git config -f ~/.bashrc --unset a.b": umpire.Write} {
		ops := readShell(t, command)
		if !slices.ContainsFunc(ops, func(op umpire.Operation) bool { return op.Kind == want }) {
			t.Errorf("%s: %v", command, ops)
		}
	}
	for _, op := range readShell(t, "git config -f a --get b.c") {
		if op.Kind == umpire.Write {
			t.Errorf("a reading writes: %v", op)
		}
	}
}

// A command line that does nothing outside its shell has one idle operation. One that
// leaves something for later command lines has none.
func TestIdle(t *testing.T) {
	for _, s := range []string{"cd src", "echo rm -rf ~", "x=1; echo $x", "test -f a && pwd", ": 'rm -rf /'", "alias ll='ls -la'", "ll() { ls -la \"$@\" | head; }", "shopt -s nullglob", "set -euo pipefail", "umask 022", "bind -P", "NAME=value", "export LOG_LEVEL=debug"} {
		if ops := readShell(t, s); len(ops) != 1 || !ops[0].Idle() {
			t.Errorf("%s: %v", s, ops)
		}
	}
	for _, s := range []string{"export PATH=/tmp/x:$PATH", "echo; PATH=/tmp/x", "echo; alias ls=./x", "ls() { ./x; }; echo", "echo; shopt -s expand_aliases", "shopt -s cdable_vars", "set -k", "set -o history", "umask 000", "acme() { \"$@\"; }", "alias acme='$CMD'", "alias -g X=ls", "PS4=x", "PROMPT_COMMAND=x", "https_proxy=http://192.0.2.1", "MY_CONFIG=/tmp/x", "export KUBECONFIG=/tmp/x", "export PATH=x", "alias acme='curl x.example'", "acme() { rm -rf ~; }", "alias cd=ls", "cd() { ls; }", "hash -p /tmp/x ls", "echo; source /tmp/x", "((", "# nothing"} {
		for _, op := range readShell(t, s) {
			if op.Idle() {
				t.Errorf("%s: %v", s, op)
			}
		}
	}
}

// A folder of the project may be made to look like a repository with settings of its own,
// so git there counts as code of the project. cmd.exe finds programs in the folder it is in.
func TestClassifyByFolder(t *testing.T) {
	for command, want := range map[string]umpire.Trait{"git status": umpire.Described, "git -C . log": umpire.Described, "git -C sub status": umpire.ProjectCode, "cd sub && git log": umpire.ProjectCode, "cd .. && git log": 0} {
		if got := natures(readShell(t, command)); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
	a := &umpire.Action{Tool: "cmd", Input: json.RawMessage(`{"command": "git status"}`), Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev"}
	if got := natures(operation.Read(a, operation.Env{})); got != 0 {
		t.Errorf("cmd: %v", got)
	}
}
