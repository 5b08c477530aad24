package place

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// entry gives places to a path and everything below it. Names are lower-case globs.
type entry struct {
	path   string
	places umpire.Place
}

const (
	credentials = umpire.PlaceCredentials
	private     = umpire.PlacePrivate
	system      = umpire.PlaceSystem
	agent       = umpire.PlaceAgentConfig
	rules       = umpire.PlaceAgentRules
)

// lookup returns the places of all entries that the segments match or lie below. No entry begins
// with a glob.
func lookup(table []entry, segs []string) (p umpire.Place) {
	if len(segs) == 0 || segs[0] == "" {
		return 0
	}
	seg := segs[0]
	if seg == umpire.Hole {
		return 0
	}
	plain := !special(seg[0])
	for i := range table {
		name := table[i].path
		if plain && (name[0] != seg[0] || len(seg) > 1 && len(name) > 1 && name[1] != seg[1] && !special(seg[1]) && !special(name[1])) {
			continue // the second byte counts because most names begin with a dot
		}
		if covers(name, segs) && (table[i].places != umpire.PlaceCache || !guessed(name, segs)) {
			p |= table[i].places
		}
	}
	return p
}

// guessed reports whether a glob in the segments only may match the pattern's name. A cache may be
// deleted, but the other matches of the glob may not.
func guessed(pattern string, segs []string) bool {
	n := 1 + strings.Count(pattern, "/")
	return slices.ContainsFunc(segs[:min(n, len(segs))], hasGlob)
}

func covers(pattern string, segs []string) bool {
	for _, s := range segs {
		name, rest, more := strings.Cut(pattern, "/")
		if s == umpire.Hole && name != "*" {
			return false // it may be anything, and is probably harmless
		}
		if s != name && (s == "" || name == "" || hidden(s, name) || s[0] != name[0] && !special(s[0]) && !special(name[0]) || !meets(s, name)) {
			return false
		}
		if !more {
			return true
		}
		pattern = rest
	}
	return false
}

// meets reports whether a segment may be a name, or match a glob in its place.
func meets(seg, name string) bool {
	if hasGlob(name) {
		return overlap(seg, name)
	}
	return disguises(seg, name)
}

func special(c byte) bool {
	return c == '*' || c == '?' || c == '[' || c == '\\' || c == umpire.Hole[0]
}

// rootTable lists paths outside home folders, without the leading slash.
var rootTable = []entry{
	{"bin", system}, {"sbin", system}, {"lib", system}, {"lib32", system}, {"lib64", system}, {"libx32", system}, {"usr", system}, {"etc", system},
	{"var", system}, {"opt", system}, {"boot", system | umpire.PlaceBoot}, {"efi", system | umpire.PlaceBoot}, {"root", system}, {"home", system}, {"srv", system}, {"run", system},
	{"dev", system}, {"proc", system | umpire.PlaceProc}, {"sys", system | umpire.PlaceProc}, {"mnt", system}, {"media", system}, {"snap", system}, {"nix", system}, {"lost+found", system},
	{"system", system}, {"library", system}, {"applications", system}, {"users", system}, {"volumes", system}, {"private", system}, {"cores", system}, {"network", system},
	{"tmp", 0},

	{"dev/null", umpire.PlaceNull}, {"dev/zero", umpire.PlaceNull}, {"dev/full", umpire.PlaceNull}, {"dev/stdin", umpire.PlaceNull}, {"dev/stdout", umpire.PlaceNull}, {"dev/stderr", umpire.PlaceNull},
	{"dev/tty", umpire.PlaceNull}, {"dev/fd", umpire.PlaceNull}, {"dev/random", umpire.PlaceNull}, {"dev/urandom", umpire.PlaceNull}, {"dev/pts", umpire.PlaceNull}, {"dev/ptmx", umpire.PlaceNull},
	{"dev/sd*", umpire.PlaceDevice}, {"dev/hd*", umpire.PlaceDevice}, {"dev/vd*", umpire.PlaceDevice}, {"dev/xvd*", umpire.PlaceDevice}, {"dev/nvme*", umpire.PlaceDevice}, {"dev/mmcblk*", umpire.PlaceDevice},
	{"dev/disk*", umpire.PlaceDevice}, {"dev/rdisk*", umpire.PlaceDevice}, {"dev/mapper", umpire.PlaceDevice}, {"dev/dm-*", umpire.PlaceDevice}, {"dev/md*", umpire.PlaceDevice}, {"dev/loop*", umpire.PlaceDevice},
	{"dev/mem", umpire.PlaceDevice}, {"dev/kmem", umpire.PlaceDevice}, {"dev/port", umpire.PlaceDevice}, {"dev/mtd*", umpire.PlaceDevice}, {"dev/zvol", umpire.PlaceDevice}, {"dev/vg*", umpire.PlaceDevice},
	{"dev/sr*", umpire.PlaceDevice}, {"dev/bcache*", umpire.PlaceDevice}, {"dev/zd*", umpire.PlaceDevice}, {"dev/nbd*", umpire.PlaceDevice}, {"dev/ram*", umpire.PlaceDevice}, {"dev/sg*", umpire.PlaceDevice},

	{"etc/passwd", umpire.PlaceAccounts}, {"etc/group", umpire.PlaceAccounts}, {"etc/shadow*", umpire.PlaceAccounts | credentials}, {"etc/gshadow*", umpire.PlaceAccounts | credentials},
	{"etc/passwd-", umpire.PlaceAccounts}, {"etc/master.passwd", umpire.PlaceAccounts | credentials}, {"etc/sudoers", umpire.PlaceAccounts | umpire.PlaceLogin}, {"etc/sudoers.d", umpire.PlaceAccounts | umpire.PlaceLogin},
	{"etc/doas.conf", umpire.PlaceAccounts | umpire.PlaceLogin}, {"etc/subuid", umpire.PlaceAccounts}, {"etc/subgid", umpire.PlaceAccounts}, {"private/etc", system},
	{"etc/ssh", umpire.PlaceLogin}, {"etc/ssh/ssh_host_*_key", credentials}, {"etc/pam.d", umpire.PlaceLogin}, {"etc/security", umpire.PlaceLogin}, {"etc/polkit-1", umpire.PlaceLogin}, {"etc/nsswitch.conf", umpire.PlaceLogin},
	{"etc/cron*", umpire.PlaceJobs}, {"etc/crontab", umpire.PlaceJobs}, {"etc/anacrontab", umpire.PlaceJobs}, {"var/spool/cron", umpire.PlaceJobs}, {"var/spool/at", umpire.PlaceJobs}, {"etc/systemd", umpire.PlaceJobs},
	{"lib/systemd", umpire.PlaceJobs}, {"usr/lib/systemd", umpire.PlaceJobs}, {"usr/local/lib/systemd", umpire.PlaceJobs}, {"run/systemd/system", umpire.PlaceJobs}, {"etc/init.d", umpire.PlaceJobs}, {"etc/init", umpire.PlaceJobs}, {"etc/rc*", umpire.PlaceJobs},
	{"etc/inittab", umpire.PlaceJobs}, {"etc/xdg/autostart", umpire.PlaceJobs}, {"etc/network/if-*", umpire.PlaceJobs}, {"etc/udev/rules.d", umpire.PlaceJobs}, {"etc/logrotate.d", umpire.PlaceJobs}, {"etc/update-motd.d", umpire.PlaceJobs},
	{"etc/apt/apt.conf.d", umpire.PlaceJobs | umpire.PlacePackageConfig}, {"library/launchdaemons", umpire.PlaceJobs}, {"library/launchagents", umpire.PlaceJobs}, {"library/startupitems", umpire.PlaceJobs}, {"system/library/launch*", umpire.PlaceJobs},
	{"etc/profile", umpire.PlaceStartup}, {"etc/profile.d", umpire.PlaceStartup}, {"etc/bash*", umpire.PlaceStartup}, {"etc/zsh*", umpire.PlaceStartup}, {"etc/environment*", umpire.PlaceStartup}, {"etc/fish", umpire.PlaceStartup}, {"etc/csh*", umpire.PlaceStartup}, {"etc/skel", umpire.PlaceStartup},
	{"etc/ld.so.preload", umpire.PlaceLoader}, {"etc/ld.so.conf*", umpire.PlaceLoader}, {"etc/ld.so.cache", umpire.PlaceLoader}, {"etc/modules*", umpire.PlaceLoader}, {"etc/modprobe.d", umpire.PlaceLoader},
	{"etc/hosts*", umpire.PlaceResolver}, {"etc/resolv.conf", umpire.PlaceResolver}, {"etc/ssl", umpire.PlaceResolver}, {"etc/ca-certificates*", umpire.PlaceResolver}, {"usr/local/share/ca-certificates", umpire.PlaceResolver}, {"etc/pki", umpire.PlaceResolver},
	{"etc/ssl/private", credentials}, {"etc/pki/tls/private", credentials}, {"etc/letsencrypt", credentials}, {"etc/kubernetes", credentials}, {"etc/rancher", credentials}, {"etc/openvpn", credentials}, {"etc/wireguard", credentials}, {"etc/ipsec.secrets", credentials}, {"etc/ppp", credentials},
	{"etc/krb5.keytab", credentials}, {"etc/docker/key.json", credentials}, {"etc/mysql/debian.cnf", credentials}, {"var/run/secrets", credentials}, {"run/secrets", credentials}, {"etc/networkmanager/system-connections", credentials}, {"etc/wpa_supplicant*", credentials},
	{"etc/vault*", credentials}, {"etc/ansible/vault*", credentials}, {"library/keychains", credentials}, {"var/lib/kubelet/pki", credentials}, {"var/lib/sss/secrets", credentials}, {"etc/salt/pki", credentials}, {"etc/exports", umpire.PlaceLogin},
	{"proc/*/environ", credentials}, {"proc/*/mem", umpire.PlaceDevice}, {"proc/kcore", umpire.PlaceDevice}, {"proc/sysrq-trigger", umpire.PlaceProc}, {"proc/*/fd", 0},
	{"var/log", umpire.PlaceLog}, {"private/var/log", umpire.PlaceLog | system}, {"var/audit", umpire.PlaceLog}, {"etc/audit", umpire.PlaceLog}, {"etc/rsyslog*", umpire.PlaceLog}, {"run/log", umpire.PlaceLog}, {"var/log/journal", umpire.PlaceLog},
	{"etc/grub*", umpire.PlaceBoot}, {"etc/default/grub", umpire.PlaceBoot}, {"etc/fstab", umpire.PlaceBoot}, {"etc/crypttab", umpire.PlaceBoot}, {"etc/initramfs-tools", umpire.PlaceBoot},
	{"etc/apt", umpire.PlacePackageConfig}, {"etc/yum*", umpire.PlacePackageConfig}, {"etc/dnf", umpire.PlacePackageConfig}, {"etc/pip.conf", umpire.PlacePackageConfig}, {"etc/npmrc", umpire.PlacePackageConfig}, {"etc/gitconfig", umpire.PlaceGitHooks},
	{"etc/claude-code", agent}, {"etc/codex", agent}, {"etc/gemini-cli", agent}, {"etc/qwen-code", agent}, {"etc/github-copilot", agent}, {"etc/cursor", agent}, {"etc/opencode", agent}, {"library/application support/claudecode", agent},
	{"etc/umpire", umpire.PlaceUmpire}, {"var/lib/umpire", umpire.PlaceUmpire}, {"usr/local/bin/umpire*", umpire.PlaceUmpire}, {"usr/bin/umpire*", umpire.PlaceUmpire}, {"opt/umpire", umpire.PlaceUmpire}, {"opt/homebrew/bin/umpire*", umpire.PlaceUmpire},
	{"var/run/docker.sock", umpire.PlaceSocket}, {"run/docker.sock", umpire.PlaceSocket}, {"var/run/containerd", umpire.PlaceSocket}, {"run/containerd/*.sock", umpire.PlaceSocket}, {"run/podman", umpire.PlaceSocket}, {"var/run/crio", umpire.PlaceSocket}, {"run/user/*/podman", umpire.PlaceSocket},
	{"var/cache", umpire.PlaceCache}, {"var/lib/apt/lists", umpire.PlaceCache}, {"var/mail", private}, {"var/spool/mail", private}, {"var/lib/mysql", private}, {"var/lib/postgresql", private}, {"var/lib/docker", private}, {"var/backups", private},
	{"sys/firmware/efi", umpire.PlaceBoot}, {"sys/kernel/debug", umpire.PlaceProc}, {"sys/class/power*", umpire.PlaceProc},
}

// driveTable lists Windows paths, without the drive.
var driveTable = []entry{
	{"windows", system}, {"program files*", system}, {"programdata", system}, {"users", system}, {"boot", system | umpire.PlaceBoot}, {"recovery", system}, {"$recycle.bin", umpire.PlaceTrash}, {"inetpub", system}, {"perflogs", system},
	{"windows/system32/config/sam", credentials}, {"windows/system32/config/security", credentials}, {"windows/system32/config", umpire.PlaceAccounts}, {"windows/ntds", credentials}, {"windows/system32/drivers/etc", umpire.PlaceResolver},
	{"windows/system32/tasks", umpire.PlaceJobs}, {"windows/tasks", umpire.PlaceJobs}, {"windows/system32/winevt", umpire.PlaceLog}, {"programdata/microsoft/windows/start menu/programs/start*", umpire.PlaceJobs}, {"programdata/ssh", umpire.PlaceLogin},
	{"programdata/umpire", umpire.PlaceUmpire}, {"program files/claudecode", agent}, {"programdata/claudecode", agent}, {"bootmgr", umpire.PlaceBoot | system}, {"pagefile.sys", system},
}

// homeTable lists paths relative to a home folder.
var homeTable = []entry{
	{".ssh", credentials}, {".ssh/authorized_keys*", umpire.PlaceLogin}, {".ssh/config*", private}, {".aws/config", private}, {".ssh/rc", umpire.PlaceLogin | umpire.PlaceStartup}, {".ssh/environment", umpire.PlaceLogin}, {".gnupg", credentials}, {".aws", credentials}, {".azure", credentials}, {".config/gcloud", credentials}, {".kube", credentials},
	{".docker/config.json", credentials}, {".config/containers/auth.json", credentials}, {".netrc", credentials}, {"_netrc", credentials}, {".pgpass", credentials}, {".my.cnf", credentials}, {".mylogin.cnf", credentials},
	{".npmrc", credentials | umpire.PlacePackageConfig}, {".yarnrc*", umpire.PlacePackageConfig}, {".pypirc", credentials}, {".gem/credentials", credentials}, {".config/pypoetry/auth.toml", credentials}, {".config/pip/pip.netrc", credentials}, {".cargo/credentials*", credentials}, {".m2/settings*.xml", credentials}, {".gradle/gradle.properties", credentials},
	{".nuget/nuget", credentials}, {".composer/auth.json", credentials}, {".config/composer/auth.json", credentials}, {".git-credentials", credentials}, {".config/git/credentials", credentials}, {".config/gh/hosts.yml", credentials}, {".config/glab-cli", credentials}, {".config/hub", credentials},
	{".terraform.d/credentials*", credentials}, {".terraformrc", credentials}, {".vault-token", credentials}, {".config/op", credentials}, {".op", credentials}, {".password-store", credentials}, {".local/share/keyrings", credentials}, {".config/bitwarden*", credentials}, {".config/keepassxc", credentials},
	{"library/keychains", credentials}, {"library/cookies", credentials}, {".s3cfg", credentials}, {".boto", credentials}, {".config/rclone", credentials}, {".config/doctl", credentials}, {".config/hcloud", credentials}, {".fly", credentials}, {".config/heroku", credentials}, {".config/stripe", credentials},
	{".databrickscfg", credentials}, {".snowflake", credentials}, {".snowsql", credentials}, {".huggingface", credentials}, {".cache/huggingface/token", credentials}, {".kaggle", credentials}, {".config/openai", credentials}, {".anthropic", credentials}, {".wgetrc", private}, {".curlrc", private},
	{".android/adbkey", credentials}, {".hex/hex.config", credentials}, {".config/dart/pub-credentials.json", credentials}, {".pub-cache/credentials.json", credentials}, {".local/share/gem/credentials", credentials}, {".bundle/config", private}, {".cabal/config", private}, {".stack/upload", credentials}, {".luarocks/upload_config.lua", credentials}, {".conan/.conan.db", credentials}, {".conan2/credentials.json", credentials}, {".dbt/profiles.yml", credentials}, {".sentryclirc", credentials},
	{".appstoreconnect/private_keys", credentials}, {".private_keys", credentials}, {".fastlane/spaceship", credentials}, {"library/mobiledevice", private}, {".clasprc.json", credentials}, {".config/configstore/firebase-tools.json", credentials}, {".expo/state.json", credentials}, {".config/itch/butler_creds", credentials}, {".steam/config", private}, {".supabase/access-token", credentials}, {".railway", credentials}, {".config/turso", credentials}, {".mc/config.json", credentials}, {".aliyun", credentials}, {".config/linode-cli", credentials}, {".config/scw", credentials}, {".vultr-cli.yaml", credentials}, {".ovh.conf", credentials}, {".transifexrc", credentials}, {".config/tea", credentials}, {".authinfo*", credentials}, {".erlang.cookie", credentials}, {".lpass", credentials}, {".ngc", credentials}, {".config/kaggle", credentials}, {".config/snowflake", credentials}, {".cdsapirc", credentials}, {".config/hatch", credentials}, {".local/share/uv/credentials", credentials}, {".pip/pip.conf", private}, {".ansible/vault*", credentials}, {".config/nuget/nuget.config", credentials}, {".config/code-server", credentials}, {".jupyter/*.json", private}, {".config/shopify*", credentials}, {".config/wandb", private}, {".circleci/cli.yml", credentials}, {".travis/config.yml", credentials}, {".config/fastly", credentials}, {".contentfulrc.json", credentials}, {".twilio-cli", credentials}, {".okta", credentials}, {".config/exercism", credentials},
	{".electrum", credentials}, {".bitcoin", credentials}, {".ethereum", credentials}, {".solana", credentials}, {".config/solana", credentials}, {".config/chromium", credentials}, {".config/google-chrome*", credentials}, {".config/bravesoftware", credentials}, {".config/microsoft-edge*", credentials}, {".mozilla", credentials}, {"snap/firefox", credentials},
	{"library/application support/google/chrome", credentials}, {"library/application support/firefox", credentials}, {"library/application support/com.apple.tcc", credentials}, {"library/application support/1password*", credentials}, {"library/messages", private}, {"library/mail", private}, {".thunderbird", credentials},
	{"appdata/roaming/microsoft/credentials", credentials}, {"appdata/local/microsoft/credentials", credentials}, {"appdata/roaming/microsoft/protect", credentials}, {"appdata/local/google/chrome/user data", credentials}, {"appdata/roaming/mozilla", credentials}, {"appdata/roaming/gnupg", credentials}, {"appdata/roaming/npm/npmrc", credentials},
	{".vnc/passwd", credentials}, {".rhosts", umpire.PlaceLogin}, {".shosts", umpire.PlaceLogin}, {".k5login", umpire.PlaceLogin}, {".google_authenticator", credentials | umpire.PlaceLogin}, {".config/sops", credentials}, {".config/age", credentials}, {".age", credentials}, {".step", credentials}, {".minikube", private}, {".oci", credentials}, {".config/ngrok", credentials}, {".ngrok2", credentials}, {".cloudflared", credentials}, {".config/wrangler", credentials}, {".wrangler", private}, {".config/vercel", credentials}, {".local/share/com.vercel.cli", credentials}, {".config/netlify", credentials}, {".pulumi/credentials.json", credentials}, {".jenkins", private}, {".argocd", credentials}, {".config/argocd", credentials}, {".config/helm/registry", credentials},

	{".bashrc", umpire.PlaceStartup}, {".bash_profile", umpire.PlaceStartup}, {".bash_login", umpire.PlaceStartup}, {".bash_logout", umpire.PlaceStartup}, {".bash_aliases", umpire.PlaceStartup}, {".bashrc.d", umpire.PlaceStartup}, {".profile", umpire.PlaceStartup}, {".zshrc*", umpire.PlaceStartup}, {".zshenv", umpire.PlaceStartup}, {".zprofile", umpire.PlaceStartup}, {".zlogin", umpire.PlaceStartup}, {".zlogout", umpire.PlaceStartup},
	{".oh-my-zsh", umpire.PlaceStartup}, {".config/fish", umpire.PlaceStartup}, {".config/zsh", umpire.PlaceStartup}, {".kshrc", umpire.PlaceStartup}, {".cshrc", umpire.PlaceStartup}, {".tcshrc", umpire.PlaceStartup}, {".login", umpire.PlaceStartup}, {".inputrc", umpire.PlaceStartup}, {".xprofile", umpire.PlaceStartup}, {".xinitrc", umpire.PlaceStartup}, {".xsession*", umpire.PlaceStartup}, {".pam_environment", umpire.PlaceStartup}, {".config/environment.d", umpire.PlaceStartup},
	{".vimrc", umpire.PlaceStartup}, {".vim", umpire.PlaceStartup}, {".config/nvim", umpire.PlaceStartup}, {".emacs*", umpire.PlaceStartup}, {".tmux.conf", umpire.PlaceStartup}, {".screenrc", umpire.PlaceStartup}, {".gdbinit", umpire.PlaceStartup}, {".pythonrc*", umpire.PlaceStartup}, {".irbrc", umpire.PlaceStartup}, {".psqlrc", umpire.PlaceStartup}, {".sqliterc", umpire.PlaceStartup}, {".config/sqlite3", umpire.PlaceStartup}, {".duckdbrc", umpire.PlaceStartup}, {".rprofile", umpire.PlaceStartup}, {".renviron", umpire.PlaceStartup}, {".julia/config/startup.jl", umpire.PlaceStartup}, {".lldbinit", umpire.PlaceStartup}, {".lesskey", umpire.PlaceStartup}, {".config/lesskey", umpire.PlaceStartup}, {".lessfilter", umpire.PlaceStartup}, {".pryrc", umpire.PlaceStartup}, {".ghci", umpire.PlaceStartup}, {".iex.exs", umpire.PlaceStartup}, {".erlang", umpire.PlaceStartup}, {".mongorc.js", umpire.PlaceStartup}, {".mongoshrc.js", umpire.PlaceStartup}, {".pdbrc", umpire.PlaceStartup}, {".perldb", umpire.PlaceStartup}, {".octaverc", umpire.PlaceStartup}, {".mailcap", umpire.PlaceStartup}, {".forward", umpire.PlaceStartup}, {".procmailrc", umpire.PlaceStartup}, {".config/powershell", umpire.PlaceStartup}, {".cargo/env*", umpire.PlaceStartup}, {".bash_completion*", umpire.PlaceStartup}, {".config/direnv", umpire.PlaceStartup}, {".config/tmux", umpire.PlaceStartup}, {".config/vim", umpire.PlaceStartup}, {".config/emacs", umpire.PlaceStartup}, {".doom.d", umpire.PlaceStartup}, {".config/doom", umpire.PlaceStartup}, {".xonshrc", umpire.PlaceStartup}, {".config/xonsh", umpire.PlaceStartup}, {".config/nushell", umpire.PlaceStartup}, {".config/elvish", umpire.PlaceStartup}, {".ipython/profile_*/startup", umpire.PlaceStartup}, {".jupyter/*.py", umpire.PlaceStartup}, {".gradle/init.gradle*", umpire.PlaceStartup}, {".gradle/init.d", umpire.PlaceStartup}, {".pyenv/pyenv.d", umpire.PlaceStartup}, {".rbenv/rbenv.d", umpire.PlaceStartup}, {"documents/powershell", umpire.PlaceStartup}, {"documents/windowspowershell", umpire.PlaceStartup},
	{".gitconfig", umpire.PlaceGitHooks}, {".config/git/config", umpire.PlaceGitHooks}, {".config/git/hooks", umpire.PlaceGitHooks}, {".git-templates", umpire.PlaceGitHooks}, {".config/pip", umpire.PlacePackageConfig}, {".pip/pip.conf", umpire.PlacePackageConfig}, {".cargo/config*", umpire.PlacePackageConfig}, {".condarc", umpire.PlacePackageConfig}, {".gemrc", umpire.PlacePackageConfig}, {".bundle/config", umpire.PlacePackageConfig}, {".bunfig.toml", umpire.PlacePackageConfig}, {".config/uv", umpire.PlacePackageConfig}, {".config/pnpm/rc", umpire.PlacePackageConfig}, {"library/preferences/pnpm/rc", umpire.PlacePackageConfig}, {".config/pypoetry/config.toml", umpire.PlacePackageConfig},
	{".config/systemd", umpire.PlaceJobs}, {".config/autostart", umpire.PlaceJobs}, {".local/share/systemd", umpire.PlaceJobs}, {"library/launchagents", umpire.PlaceJobs}, {".config/upstart", umpire.PlaceJobs}, {".config/plasma-workspace", umpire.PlaceJobs}, {".kde/autostart", umpire.PlaceJobs}, {"appdata/roaming/microsoft/windows/start menu/programs/startup", umpire.PlaceJobs}, {".crontab", umpire.PlaceJobs},
	{".local/lib/python*/site-packages/*.pth", umpire.PlaceLoader}, {".local/lib/python*/site-packages/sitecustomize.py", umpire.PlaceLoader}, {".local/lib/python*/site-packages/usercustomize.py", umpire.PlaceLoader},
	{".config/umpire/secrets", credentials}, {".config/umpire/*.token", credentials}, {".local/state/umpire/*.token", credentials},
	{".config/umpire", umpire.PlaceUmpire}, {".local/state/umpire", umpire.PlaceUmpire | umpire.PlaceLog}, {".cache/umpire", umpire.PlaceUmpire}, {".local/bin/umpire*", umpire.PlaceUmpire}, {"go/bin/umpire*", umpire.PlaceUmpire}, {"bin/umpire*", umpire.PlaceUmpire},
	{".bash_history", umpire.PlaceHistory}, {".zsh_history", umpire.PlaceHistory}, {".history", umpire.PlaceHistory}, {".local/share/fish/fish_history", umpire.PlaceHistory}, {".python_history", umpire.PlaceHistory}, {".node_repl_history", umpire.PlaceHistory}, {".psql_history", umpire.PlaceHistory}, {".mysql_history", umpire.PlaceHistory}, {".sqlite_history", umpire.PlaceHistory}, {".rediscli_history", umpire.PlaceHistory}, {".local/share/atuin", umpire.PlaceHistory}, {".lesshst", umpire.PlaceHistory}, {".claude/projects", umpire.PlaceHistory}, {".codex/sessions", umpire.PlaceHistory}, {".claude/history.jsonl", umpire.PlaceHistory},
	{".config/code/user/*.json", umpire.PlaceEditorConfig}, {"library/application support/code/user/*.json", umpire.PlaceEditorConfig}, {".local/share/trash", umpire.PlaceTrash}, {".trash", umpire.PlaceTrash}, {".cache", umpire.PlaceCache}, {"library/caches", umpire.PlaceCache}, {".npm", umpire.PlaceCache},
	{"library/developer/xcode/deriveddata", umpire.PlaceCache}, {"library/developer/coresimulator/caches", umpire.PlaceCache}, {".gradle/caches", umpire.PlaceCache}, {".m2/repository", umpire.PlaceCache}, {"go/pkg/mod", umpire.PlaceCache}, {".cargo/registry", umpire.PlaceCache}, {".nuget/packages", umpire.PlaceCache}, {".pnpm-store", umpire.PlaceCache}, {".local/share/pnpm/store", umpire.PlaceCache}, {"library/pnpm/store", umpire.PlaceCache}, {".bun/install/cache", umpire.PlaceCache}, {".composer/cache", umpire.PlaceCache}, {".pub-cache/hosted", umpire.PlaceCache}, {".gradle/daemon", umpire.PlaceCache}, {".gradle/.tmp", umpire.PlaceCache}, {".android/cache", umpire.PlaceCache}, {".android/build-cache", umpire.PlaceCache}, {".cargo/git/db", umpire.PlaceCache}, {".cargo/git/checkouts", umpire.PlaceCache}, {".konan/cache", umpire.PlaceCache}, {".sbt/boot", umpire.PlaceCache}, {".stack/pantry", umpire.PlaceCache}, {".cabal/packages", umpire.PlaceCache}, {".hex/packages", umpire.PlaceCache}, {".expo/cache", umpire.PlaceCache}, {".electron", umpire.PlaceCache}, {".node-gyp", umpire.PlaceCache}, {".yarn/berry/cache", umpire.PlaceCache}, {".platformio/.cache", umpire.PlaceCache}, {".espressif/dist", umpire.PlaceCache}, {".conan2/p", umpire.PlaceCache}, {".terraform.d/plugin-cache", umpire.PlaceCache}, {"library/developer/xcode/ios devicesupport", umpire.PlaceCache}, {"appdata/local/npm-cache", umpire.PlaceCache}, {"appdata/local/pip/cache", umpire.PlaceCache}, {"appdata/local/go-build", umpire.PlaceCache}, {"appdata/local/nuget/v3-cache", umpire.PlaceCache}, {".ivy2/cache", umpire.PlaceCache}, {"library/logs", umpire.PlaceLog},
	{".docker/run/docker.sock", umpire.PlaceSocket}, {".colima", umpire.PlaceSocket},
}

// Named returns the paths of the tables that end in a name: "/etc/shadow" for shadow.
func Named(name string) (paths []string) {
	if name = fold(name); name == "" || hasGlob(name) {
		return nil
	}
	for folder, table := range map[string][]entry{"/": rootTable, "~/": homeTable} {
		for _, e := range table {
			if dir, last := path.Split(e.path); dir != "" && last[0] != '*' && overlap(last, name) {
				paths = append(paths, folder+dir+name)
			}
		}
	}
	return paths
}

// KeepsKeys reports whether a program of the table keeps credentials somewhere below a folder of a
// home, or below a folder that holds the home.
func KeepsKeys(folder, home string) bool {
	folder, home = strings.TrimSuffix(fold(folder), "/"), fold(home)
	if _, above := below(home, folder); above || folder == "" {
		return true
	}
	in, ok := below(folder, home)
	return ok && slices.ContainsFunc(homeTable, func(e entry) bool {
		return e.places&credentials != 0 && strings.HasPrefix(e.path, in+"/")
	})
}

// agents returns the places of settings of coding agents, which contain the hooks that guard them.
// The same names apply in a home and in a project.
func agents(segs []string, p umpire.Place) umpire.Place {
	got := lookup(agentTable, segs)
	if got&umpire.PlaceAgentConfig != 0 && p&umpire.PlaceHistory != 0 {
		got &^= umpire.PlaceAgentConfig
	}
	return got
}

var agentTable = []entry{
	{".claude", agent}, {".claude.json", agent | umpire.PlaceMCP}, {".codex", agent}, {".gemini", agent}, {".qwen", agent}, {".copilot", agent}, {".factory", agent}, {".cline", agent}, {".clinerules/hooks", agent}, {".opencode", agent}, {".config/opencode", agent}, {"opencode.json", agent}, {"opencode.jsonc", agent}, {".pi", agent},
	{".cursor", agent}, {".cursorrules", rules}, {".windsurf", agent}, {".windsurfrules", rules}, {".codeium", agent}, {".kiro", agent}, {".amp", agent}, {".config/amp", agent}, {".crush*", agent}, {"crush.json", agent}, {".config/crush", agent}, {".aider.conf.yml", agent}, {".continue", agent}, {".roo", agent}, {".roorules", rules}, {".devin", agent}, {".config/devin", agent}, {".kimi-code", agent}, {".augment", agent}, {".goose*", agent}, {".config/goose", agent}, {".antigravity", agent}, {".junie", agent}, {".trae", agent}, {".zed/settings.json", agent}, {".config/zed/settings.json", agent},
	{".github/hooks", agent}, {".github/copilot", agent}, {".github/copilot-instructions.md", rules}, {".github/instructions", rules}, {".clinerules", rules}, {".agents", agent}, {".mcp.json", umpire.PlaceMCP}, {"mcp.json", umpire.PlaceMCP}, {".vscode/mcp.json", umpire.PlaceMCP}, {".cursor/mcp.json", umpire.PlaceMCP}, {"claude_desktop_config.json", umpire.PlaceMCP}, {"library/application support/claude", agent},
	{"claude.md", rules}, {"claude.local.md", rules}, {"agents.md", rules}, {"agents.override.md", rules}, {"gemini.md", rules}, {"qwen.md", rules}, {".rules", rules}, {".umpire.yaml", umpire.PlaceUmpire},
}

// anywhere returns the places of names that have a meaning in any folder.
func anywhere(segs []string) (p umpire.Place) {
	for i, s := range segs {
		last := i == len(segs)-1
		switch {
		case s == "" || s == umpire.Hole:
			continue
		case disguises(s, ".git") && !all(s) && !startsPlain(s):
			p |= umpire.PlaceGitDir
			if !last && (segs[i+1] == "hooks" || disguises(segs[i+1], "hooks") || segs[i+1] == "config" || segs[i+1] == "config.worktree" || segs[i+1] == "info" && i+2 < len(segs) && segs[i+2] == "attributes") {
				p |= umpire.PlaceGitHooks
			}
		case strings.HasSuffix(s, ".git") && !last && (segs[i+1] == "hooks" || segs[i+1] == "config"), s == ".gitconfig": // a bare repository, or a configuration file that others include
			p |= umpire.PlaceGitHooks
		case s == ".gitmodules" || s == ".husky" || s == ".pre-commit-config.yaml" || anyof.Equal(strings.TrimPrefix(s, "."), "lefthook.yml", "lefthook.yaml", "lefthook-local.yml"):
			p |= umpire.PlaceGitHooks
		case s == ".vscode" && !last && (segs[i+1] == "tasks.json" || segs[i+1] == "settings.json" || segs[i+1] == "launch.json"), s == ".idea" && !last && (segs[i+1] == "runconfigurations" || segs[i+1] == "workspace.xml"), s == ".devcontainer", s == ".envrc",
			s == ".exrc", s == ".nvimrc", s == ".nvim.lua", s == ".dir-locals.el", s == ".gdbinit", s == ".lldbinit", s == "mise.toml", s == ".mise.toml", s == ".mise", s == ".gitattributes", s == ".lfsconfig", last && strings.HasSuffix(s, ".code-workspace"):
			p |= umpire.PlaceEditorConfig
		case s == ".cargo" && !last && (segs[i+1] == "config" || segs[i+1] == "config.toml"), s == ".yarn" && !last && (segs[i+1] == "releases" || segs[i+1] == "plugins"), s == ".pnpmfile.cjs":
			p |= umpire.PlacePackageConfig
		case s == ".github" && !last && (segs[i+1] == "workflows" || segs[i+1] == "actions"), s == ".gitlab-ci.yml", s == ".circleci", s == "jenkinsfile", s == ".travis.yml", s == "azure-pipelines.yml", s == "bitbucket-pipelines.yml", s == ".buildkite", s == ".drone.yml", s == ".woodpecker*":
			p |= umpire.PlaceCI
		case s == ".ssh":
			p |= credentials
			if !last && strings.HasPrefix(segs[i+1], "authorized_keys") {
				p |= umpire.PlaceLogin
			}
		case s == ".aws" || s == ".gnupg" || s == ".kube":
			p |= credentials
		}
		if p&umpire.PlaceHistory == 0 && s[0] != '*' && s[0] != '?' {
			p |= agents(segs[i:], p)
		}
	}
	if len(segs) > 0 {
		p |= file(segs[len(segs)-1], segs)
	}
	return p
}

// file returns the places that the name of a file gives it.
func file(name string, segs []string) (p umpire.Place) {
	if all(name) || name == umpire.Hole {
		return 0
	}
	lit := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return disguises(name, n) })
	}
	ext := name[strings.LastIndexByte(name, '.')+1:]
	sample := anyof.Contains(name, "example", "sample", "template") || strings.HasSuffix(name, ".dist")
	switch {
	case name == ".env" || anyof.HasPrefix(name, ".env.", ".env*", ".env?", ".env[") || strings.HasPrefix(name, ".e") && lit(".env") || len(name) > 4 && strings.HasSuffix(name, ".env") && (!hasGlob(name) || name == "*.env") || name == ".flaskenv" || name == ".dev.vars":
		if !sample && !plainEnv(name) {
			p |= umpire.PlaceEnvFile
		}
	case lit("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "identity"), strings.HasPrefix(name, "id_rsa") && ext != "pub", strings.HasPrefix(name, "id_ed25519") && ext != "pub":
		if name != "identity" {
			p |= credentials
		}
	case name == "key.properties", strings.HasSuffix(name, "keystore.properties"), strings.HasSuffix(name, "signing.properties"): // passwords of a signing key
		p |= umpire.PlaceEnvFile
	case name == "debug.keystore": // Android's debug key, whose password is public
	case ext == "p12" || ext == "pfx" || ext == "jks" || ext == "keystore" || ext == "kdbx" || ext == "keychain" || ext == "keychain-db" || ext == "ppk" || ext == "ovpn" || ext == "agekey":
		p |= credentials
	case ext == "key" && name != ".key" && !sample && !strings.Contains(name, "public"):
		p |= credentials
	case ext == "pem" && !hasGlob(name) && (strings.Contains(name, "key") || strings.Contains(name, "priv")) && !strings.Contains(name, "pub"):
		p |= credentials
	case name == "*.pem" && (segs[0] == umpire.Hole || len(segs) == 4 && segs[2] == umpire.Hole && (segs[0] == "home" || segs[0] == "users")): // in all homes, or anywhere in one
		p |= credentials
	case lit(".netrc", "_netrc", ".pgpass", ".my.cnf", ".pypirc", ".git-credentials", ".htpasswd", ".vault-token", ".vault_pass", ".s3cfg", ".boto", "htpasswd", "shadow", "wallet.dat", "key4.db", "logins.json", "login data", "admin.conf", "kubeconfig", "master.key", "gcp-key.json", "credentials.json", "secrets.json", "service-account.json", "serviceaccount.json", "application_default_credentials.json"):
		if name != "shadow" && !sample {
			p |= credentials
		}
	case ext == "json" && !sample && serviceKey(strings.TrimSuffix(name, ".json")), ext == "p8" && !sample:
		p |= credentials
	case lit("secrets.yml", "secrets.yaml", "credentials", "credentials.yml.enc", "terraform.tfstate", "terraform.tfstate.backup", "wp-config.php", "secrets.toml", "local.settings.json", "appsettings.production.json", "database.yml", "vault.yml", "credentials.yml", "secret.yaml", "secret.yml", "secrets.env"), ext == "tfvars", ext == "tfstate":
		if !sample {
			p |= private
		}
	case name == ".npmrc" || name == ".yarnrc" || name == ".yarnrc.yml" || name == "pip.conf" || name == "pip.ini" || name == ".condarc" || name == "bunfig.toml" || name == "nuget.config":
		p |= umpire.PlacePackageConfig
	case name == "sitecustomize.py" || name == "usercustomize.py" || ext == "pth" && within(segs, "site-packages"):
		p |= umpire.PlaceLoader
	case name == "docker.sock" || name == "containerd.sock":
		p |= umpire.PlaceSocket
	case name == "umpire-hook" || name == "umpire" && within(segs, "bin") || name == "umpire.exe" || name == "umpire-hook.exe":
		p |= umpire.PlaceUmpire
	}
	return p
}

// SecretName reports whether a file with this name holds a secret in any folder except public ones.
func SecretName(name string) bool {
	name = fold(name)
	return file(name, []string{name})&(credentials|umpire.PlaceEnvFile) != 0
}

// serviceKey reports whether the name of a JSON file, without the extension, is that of a service
// account key.
func serviceKey(name string) bool {
	for _, s := range [...]string{"service-account", "service_account", "serviceaccount"} {
		if strings.HasPrefix(name, s) {
			return true
		}
	}
	if hasGlob(name) {
		return false
	}
	if strings.Contains(name, "firebase-adminsdk") {
		return true
	}
	for _, s := range [...]string{"-key", "_key"} {
		if owner, ok := strings.CutSuffix(name, s); ok {
			if anyof.Equal(owner[strings.LastIndexAny(owner, "-_")+1:], "gcp", "gcloud", "store", "account", "sa", "service", "api", "private", "admin", "play", "firebase", "deploy", "signing", "secret") {
				return true
			}
		}
	}
	return false
}

// plainEnv reports whether the name of an environment file says that it contains no secrets.
func plainEnv(name string) bool {
	return anyof.Equal(strings.TrimPrefix(name, ".env."), "test", "defaults", "schema", "ports", "versions", "version")
}

func within(segs []string, name string) bool {
	return slices.Contains(segs, name)
}

// public reports whether a file among secrets is not secret.
func public(segs []string) bool {
	name := segs[len(segs)-1]
	if anyof.HasSuffix(name, ".pub", ".crt", ".cer") {
		return true
	}
	switch name {
	case "known_hosts", "known_hosts.old", "config", "authorized_keys", "pubring.kbx", "pubring.gpg", "trustdb.gpg", "gpg.conf", "gpg-agent.conf":
		return !within(segs, ".kube")
	case "cache", "cli", "sso":
		return within(segs, ".aws") && name == "cli"
	}
	return within(segs, "cache") && within(segs, ".kube") || within(segs, "testdata") || within(segs, "fixtures") || within(segs, "node_modules")
}

// generated returns the places of folders for build output, dependencies and caches, by name.
func generated(segs []string) umpire.Place {
	for i, s := range segs {
		for _, twin := range [...]string{".old", ".bak", ".prev", "-old", "-bak", "_old"} { // dist.old is dist, moved away
			s = strings.TrimSuffix(s, twin)
		}
		switch s {
		case "node_modules", "dist", "build", "out", "target", ".next", ".nuxt", ".svelte-kit", ".output", "coverage", "__pycache__", ".venv", "venv", ".tox", ".nox", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".gradle", ".terraform", "_build",
			".cache", ".parcel-cache", ".turbo", ".angular", ".expo", ".dart_tool", "bower_components", ".eggs", "htmlcov", ".nyc_output", "storybook-static", "cmake-build-debug", "cmake-build-release", "deriveddata", "pods", ".stack-work", "dist-newstyle", "zig-cache", ".zig-cache", "zig-out",
			"elm-stuff", ".serverless", "cdk.out", ".aws-sam", "tmp", "temp", ".tmp", "logs", "obj", "artifacts", ".nx", ".vite", ".vercel", ".netlify", ".docusaurus", "public/build", ".hypothesis", ".ipynb_checkpoints", "playwright-report", "test-results", "testresults", ".webpack", ".rollup.cache", ".sass-cache", ".jekyll-cache", "_site", ".bundle", ".yarn/cache", ".pnp.cjs", "generated", ".generated", "vendor", "buck-out", ".ccls-cache", ".clangd", ".direnv", "release", "debug", "reports", "allure-results", ".phpunit.cache", ".coverage", ".swc", "wheels", "sdist", ".pixi", ".build", ".cxx", ".kotlin", "cmakefiles", "xcuserdata", ".astro", ".wrangler", ".contentlayer",
			".externalnativebuild", "lcov-report", ".terragrunt-cache", ".metals", ".bloop", ".bsp", ".pio", ".godot", ".import", "builddir", "__pypackages__", ".pdm-build", ".pyre", ".pytype", ".vinxi", ".tanstack", ".react-router", ".open-next", ".sst", ".plasmo", ".wxt", ".cpcache", ".lsp", ".clj-kondo", ".ropeproject", "scriptassemblies", "shadercache", "packagecache", "deriveddatacache", ".yardoc", "nimcache", "ephemeral", ".ember-cli":
			if s == "vendor" && i < len(segs)-1 && segs[i+1] == "bundle" { // dependencies of Ruby
				return umpire.PlaceGenerated
			}
			if (s == "vendor" || s == "release" || s == "debug" || s == "reports" || s == "generated" || s == "pods") && i < len(segs)-1 && s != "pods" {
				continue
			}
			return umpire.PlaceGenerated
		case "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "gemfile.lock", "composer.lock", "podfile.lock", "pubspec.lock", "mix.lock", "deno.lock", "flake.lock", "go.sum", "package.resolved", "gradle.lockfile", "packages.lock.json", ".terraform.lock.hcl", "chart.lock", ".eslintcache", ".stylelintcache":
			if i == len(segs)-1 {
				return umpire.PlaceGenerated
			}
		case "cache":
			if i == 0 || segs[i-1] == "var" || segs[i-1] == "framework" || segs[i-1] == "bootstrap" {
				return umpire.PlaceGenerated
			}
		case ".ds_store", "thumbs.db":
			return umpire.PlaceGenerated
		}
		if strings.Contains(s, "xxxxxx") { // the name that mktemp makes of a template
			return umpire.PlaceGenerated
		}
		if strings.HasSuffix(s, ".egg-info") || s == ".egg" || anyof.HasPrefix(s, "dist-", "bazel-", "cmake-build-", "twister-out") || strings.HasSuffix(s, ".xcresult") || strings.HasSuffix(s, ".dsym") || machineWritten(s) {
			return umpire.PlaceGenerated
		}
		if i == len(segs)-1 {
			if s == "*~" { // what editors keep of a file before a change
				return umpire.PlaceGenerated
			}
			if anyof.Equal(s[strings.LastIndexByte(s, '.')+1:], "o", "pyc", "pyo", "class", "tmp", "log", "swp", "bak", "orig", "rej", "obj", "gcda", "gcno", "tsbuildinfo", "d", "out") {
				if strings.Contains(s, ".") {
					return umpire.PlaceGenerated
				}
			}
		}
	}
	return 0
}

// machineWritten reports whether a file name has an ending that only code generators use.
func machineWritten(name string) bool {
	i := strings.IndexByte(name, '.')
	if i < 0 {
		return false
	}
	if anyof.Equal(name[i:], ".swagger.json", ".pb.gw.go", ".pb.go", ".gen.go", ".pb.cc", ".pb.h", ".g.dart", ".freezed.dart", ".gr.dart", ".mocks.dart", ".d.ts.map", ".js.map", ".css.map", ".min.js", ".min.css", ".generated.ts", ".gen.ts", ".g.cs", ".designer.cs", ".pb.dart", ".pb.swift", ".chunk.js", ".module.css.d.ts", ".snap.new") {
		return true
	}
	return anyof.HasSuffix(name, "_pb2.py", "_pb2_grpc.py", "_pb.js", "_pb.rb", "_pb.ts", "_string.go", "_generated.go", "_generated*.go", "_gen.go")
}

// startsPlain reports whether a glob begins with a class of letters and digits or of everything but
// some characters and the dot, so that it matches no name with a dot in front.
func startsPlain(glob string) bool {
	class, _, closed := strings.Cut(strings.TrimPrefix(glob, "["), "]")
	if closed && anyof.HasPrefix(glob, "[^", "[!") {
		return strings.IndexByte(class[1:], '.') >= 0
	}
	return closed && glob[0] == '[' && class != "" && class[0] != '-' && !strings.Contains(class, "--") && strings.Trim(class, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// hidden reports whether a name begins with a dot that the glob does not spell out: no shell
// expands * or a class to such names.
func hidden(glob, name string) bool {
	return name[0] == '.' && (startsPlain(glob) || glob[0] == '*' || glob[0] == '?' || strings.HasPrefix(glob, umpire.Hole))
}
