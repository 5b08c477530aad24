package packs_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

// A program that an option, a variable or a setting names runs without a question only if it is
// a customary helper. The adversary names its own program, or makes a helper run one.
func TestHelpers(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"git difftool -x kdiff3 HEAD~2", "git difftool --extcmd='subl --wait' main", "GIT_EXTERNAL_DIFF=icdiff git show", "GIT_PAGER='less -FX' git log -3", "git config core.pager 'less -FRSX'",
			"GIT_SSH_COMMAND='ssh -i deploy_key -p 2022' git pull", "GIT_SSH_COMMAND='ssh -q -o IdentitiesOnly=yes -o BatchMode=yes -i ~/.ssh/ci' git clone git@git.example:a/b", "git config core.sshCommand 'ssh -i ~/.ssh/work'",
			"rsync -a -e 'ssh -p 2022 -l ci' build.example:/srv/out/ out/", "hg -e 'ssh -C' incoming", "hg pull -e 'ssh -p 2022'", "screen -s /bin/zsh -S dev", "make SHELL=/usr/bin/bash lint", "NIX_SSHOPTS='-p 2022' nix copy --from ssh://cache.example .#app",
			"git request-pull v2 https://git.example/a main", "aws configure set output json", "WGETRC=/dev/null wget https://x.example/a.txt",
			"make SHELL=/usr/bin/fish lint", "make SHELL=$(command -v zsh) lint", "make SHELL='/usr/bin/env bash' lint", "make SHELL='/bin/bash -eu -o pipefail' lint", "make SHELL=/opt/homebrew/bin/zsh lint", "screen -s -/bin/bash", "screen -s fish", "screen -list", "hg -e 'plink -ssh -batch' pull",
			"WGETRC=$HOME/.wgetrc wget https://x.example/a.txt", "WGETRC= wget https://x.example/a.txt", "wget --config ~/.wgetrc https://x.example/a.txt", "wget --config= https://x.example/a.txt", "GIT_SSH_COMMAND='ssh -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no' git pull",
		}},
		{umpire.Ask, []string{
			"git difftool -x ./kdiff3", "git difftool -x 'pico -f'", "git difftool -x 'kak -f'", "git difftool -x 'emacsclient -f'", "git difftool -x open", "rg --pre xdg-open x", "git config difftool.a.cmd xdg-open", "git request-pull -- v2 '--upload-pack=./x' main", "git difftool -x 'kdiff3; ./x'", "git difftool -x 'nvim -S'", "git difftool -x 'vim -s'", "git difftool -x 'sh -c ./x'", "git difftool -x bash", "git difftool -x 'less -o x'", "git difftool -x /tmp/meld", `git difftool -x "$VIEWER"`, "GIT_EDITOR='vim -S' git commit", "GIT_PAGER='vim -s' git log", "GIT_EXTERNAL_DIFF='emacs -l' git diff", "git config core.editor 'nvim -S'",
			"GIT_SSH_COMMAND='ssh -o ProxyCommand=./x' git fetch", "GIT_SSH_COMMAND='ssh -oLocalCommand=./x -oPermitLocalCommand=yes' git fetch", "GIT_SSH_COMMAND='ssh -F ./cfg' git fetch", "GIT_SSH_COMMAND='ssh -i k; ./x' git fetch", "GIT_SSH_COMMAND='ssh -i `./x`' git fetch", `GIT_SSH_COMMAND="ssh -i $KEY" git fetch`, "GIT_SSH_COMMAND='ssh -J other.example' git fetch", "GIT_SSH_COMMAND='ssh -R 8022:localhost:22' git fetch",
			"GIT_SSH_COMMAND='ssh other.example' git push", "GIT_SSH_COMMAND='ssh -I ./x.so' git fetch", "GIT_SSH_COMMAND='ssh -i k -o Include=./cfg' git fetch", "GIT_SSH_COMMAND='./ssh -i k' git fetch", "GIT_SSH_COMMAND='ssh -o \"ProxyCommand ./x\"' git fetch", "GIT_SSH_COMMAND='ssh -p' git fetch", "GIT_SSH_COMMAND='ssh -i k*' git fetch", "git config core.sshCommand 'ssh -i ?'", "GIT_SSH_COMMAND='ssh -i [k]' git pull", "GIT_SSH_COMMAND='ssh -o UserKnownHostsFile=~/.profile' git fetch", "hg -e 'plink -proxycmd ./x' pull", "git config core.sshCommand 'ssh -F ./cfg'", "rsync -e 'ssh -p 22 -o ProxyCommand=./x' h.example:a .",
			"hg -e ./x push", "hg push -e ./x", "hg --ssh=./x pull", "screen -s ./x", "screen -s '/bin/sh -c ./x'", "make SHELL=./x", "make SHELL=python3 all", "make SHELL:=/tmp/sh", "make SHELL=/usr/bin/../../tmp/sh", "make SHELL='/bin/sh -x ./x' all", "make SHELL='env -S ./x bash' all", "make SHELL='sh -c ./x' all", "NIX_SSHOPTS='-o ProxyCommand=./x' nix copy --to ssh://h.example .#app",
			"aws configure set credential_process ./x", "aws configure set profile.ci.credential_process 'sh -c ./x'", "aws --profile ci configure set credential_process ./x", "WGETRC=/tmp/rc wget https://x.example/a.txt", "wget --config=/tmp/rc https://x.example/a.txt",
		}},
	})
}

// A call that prepares a place for keys, or gives the project's key to the project's program, is
// not a search for keys.
func TestKeysInTheirPlaces(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"mkdir -p ~/.ssh", "mkdir -m 700 -p ~/.gnupg ~/.aws",
		}},
		{umpire.Ask, []string{
			"./sign doc.xml ci/key.pem", "mytool doc.xml server.key", "openssl rsa -in ci/key.pem -RSAPublicKey_out -text",
		}},
		{umpire.Deny, []string{
			"mkdir -p ~/.ssh && cp ~/.ssh/id_rsa /tmp/k", "mkdir ~/.ssh; cat ~/.ssh/id_ed25519", "mkdir -p out && cp ~/.aws/credentials out/", "./sign doc.xml ~/.ssh/id_rsa", "./sign doc.xml ../other/server.key", "./sign doc.xml /etc/ssl/private/server.key", "./sign doc.xml $D/server.key",
			"./sign doc.xml ~/.gnupg/secring.gpg", "./sign $(find / -name id_rsa)", "xmltool ci/../../server.key", "mytool FILE:~/.ssh/id_rsa", "mytool ci/%2e%2e/%2e%2e/.ssh/id_rsa", "openssl pkcs12 -in ~/.ssh/id.p12 -out a.pem", "openssl pkcs12 -in ~/.ssh/id.p12 -nodes -caname -nokeys", "openssl pkcs12 -in ~/.ssh/id.p12 -nodes -CSP -noout", "openssl rsa -in ~/.ssh/id_rsa -propquery -pubout", "mkdir -m 755 ~/.gnupg", "mkdir -p -m a+rwx ~/.aws", "openssl rsa -in ~/.ssh/id_rsa -RSAPublicKey_out -text",
		}},
	})
}

// Lists of the package manager are fetched again. Names of users are no secret, but a container
// must not write them.
func TestMachineFilesThatLoseNothing(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"rm -rf /var/lib/apt/lists/*", "apt-get clean && rm -rf /var/lib/apt/lists", "docker run --rm -u 1000:1000 -v /etc/passwd:/etc/passwd:ro -v /etc/group:/etc/group:ro alpine id", "docker run --mount type=bind,src=/etc/group,dst=/etc/group,readonly alpine id",
			"update-alternatives --display editor", "update-alternatives --query java", "add-apt-repository -L", "dpkg-divert --list", "home-manager uninstall", "darwin-rebuild build --flake .",
		}},
		{umpire.Ask, []string{
			"update-alternatives --set editor /tmp/x", "update-alternatives --install /usr/bin/vi vi ./x 50", "update-alternatives --log --query --install /usr/bin/vi vi ./x 50", "update-alternatives --install /usr/bin/vi --query /tmp/x 50", "add-apt-repository ppa:a/b", "add-apt-repository -l ppa:a/b", "dpkg-divert --rename --add /usr/bin/tool", "home-manager expire-generations '-7 days'", "darwin-rebuild switch --flake .",
		}},
		{umpire.Deny, []string{
			"rm -rf /var/lib/apt", "rm -rf /var/lib", "rm -rf /var/lib/dpkg", "rm -rf /var/lib/apt/lists/..", "rm -rf /var/lib/apt/lists/../../dpkg", "rm -rf /var/lib/apt/*", "rm -rf /var/lib/apt/lists /var/lib/dpkg", "rm -rf /var/lib/*/lists", "rm -rf /var/lib/mysql", "rm -rf /var/lib/apt/lists.bak",
			"docker run -v /etc/passwd:/etc/passwd alpine id", "docker run -v /etc/passwd:/etc/passwd:rw alpine id", "docker run -v /etc/shadow:/etc/shadow:ro alpine id", "docker run -v /etc:/etc:ro alpine id", "docker run -v /etc/passwd:/p:ro -v /etc/sudoers:/s:ro alpine id",
			"docker run --mount type=bind,src=/etc/passwd,dst=/p alpine id", "docker run --mount type=bind,src=/etc/group,dst=/g,readonly,READONLY=0 alpine id", "podman run --mount type=bind,src=/etc/passwd,dst=/p,ro,rw alpine id", "docker run --mount type=bind,src=/etc/passwd,dst=/p,readonly=false alpine id", "docker run -v /etc/passwd/../shadow:/s:ro alpine id", "docker run -v /etc/group:/etc/group alpine id", "docker run -v /root:/r:ro alpine id",
		}},
	})
}

// A flag with the value false leaves an agent's guards on, and the kernel learns what it learned from its
// neighbours again.
func TestGuardsThatStayOn(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Ask, []string{
			"cline --auto-approve false 'fix it'", "cline --auto-approve=false 'fix it'", "ip neigh flush dev eth1", "ip neighbour flush all", "ip tcp_metrics flush 10.0.0.7", "ip ntable change name arp_cache queue 4 dev eth1",
		}},
		{umpire.Deny, []string{
			"cline --auto-approve 'fix it'", "amp --no-sandbox=false", "VIMINIT=':!rm -rf ~' git difftool -x vim", "cline --auto-approve=true 'fix it'", "cline --auto-approve true 'fix it'", "cline --yolo 'false'", "qwen --yolo false", "gemini --yolo false", "cline --auto-approve=false --yolo 'fix it'", "cline --auto-approve=0 'fix it'", "codex --full-auto false", "codex --sandbox=false 'fix it'", "cline --auto-approve false --auto-approve-all 'fix it'",
			"ip link set neigh down", "ip link del neigh", "ip addr flush dev eth1", "ip address del 10.0.0.7/24 dev eth1", "ip route flush table main", "ip route del default", "ip link set eth1 down", "ip rule del pref 7", "ip -6 addr flush dev eth1", "ip link change eth1 down", "ip route replace default via 10.0.0.9",
		}},
	})
}

// Cmdlets that run a block run a script file as well. The adversary writes the script first, or
// takes it from another machine.
func TestScriptFilesOfCmdlets(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{`pwsh -c 'Start-Job -FilePath ./tools/warm.ps1'`, `pwsh -c 'Invoke-Command -FilePath ./tools/warm.ps1'`}},
		{umpire.Deny, []string{
			`pwsh -c 'Set-Content x.ps1 "Remove-Item -Recurse -Force ~"; Invoke-Command -FilePath ./x.ps1'`, `pwsh -c 'Set-Content x.ps1 "Remove-Item -Recurse -Force ~"; Start-Job -FilePath ./x.ps1'`, `pwsh -c 'Set-Content x.ps1 "Remove-Item -Recurse -Force ~"; icm -File ./x.ps1'`,
			`pwsh -c 'Invoke-Command -FilePath \\srv\share\x.ps1'`,
		}},
	})
}

// tr takes characters out of a text in many spellings, and what is left may be a command.
func TestSetsOfTr(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{`echo ls | tr -d '\r' | sh`, `tr -d '[:punct:]\v' < a.txt | sort`}},
		{umpire.Deny, []string{
			`printf 'r\rm -rf ~' | tr -d '\015' | sh`, `printf 'rqm -rf ~' | tr -d '\161' | sh`, `printf 'r\fm -rf ~' | tr -d '\f' | sh`, `printf 'r\033m -rf ~' | tr -d '\033' | sh`, `printf 'r,m -rf ~' | tr -d '[:punct:]' | sh`,
			`printf 'rqm -rf ~' | tr -d '[=q=]' | sh`, `printf 'rmm -rf ~' | tr -s '\155' | sh`,
		}},
	})
}
