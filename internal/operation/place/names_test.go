package place

import (
	"fmt"
	"testing"

	"github.com/umpire-dev/umpire"
)

// Each name that means something by itself means it in any folder of a project.
func TestNamesAlone(t *testing.T) {
	for want, list := range map[umpire.Place][]string{
		umpire.PlaceCredentials: {".netrc", "_netrc", ".pgpass", ".my.cnf", ".pypirc", ".git-credentials", ".htpasswd", ".vault-token", ".vault_pass", ".s3cfg", ".boto", "wallet.dat", "key4.db",
			"logins.json", "kubeconfig", "master.key", "credentials.json", "secrets.json", "service-account.json", "service-account-prod.json", "service_account_prod.json", "application_default_credentials.json"},
		umpire.PlacePrivate:       {"secrets.yml", "secrets.yaml", "credentials", "terraform.tfstate", "terraform.tfstate.backup", "wp-config.php", "secrets.toml", "local.settings.json", "database.yml", "prod.tfvars", "x.tfstate"},
		umpire.PlaceEnvFile:       {"secrets.env", ".env"},
		umpire.PlacePackageConfig: {".npmrc", ".yarnrc", ".yarnrc.yml", "pip.conf", "pip.ini", ".condarc", "bunfig.toml", "nuget.config"},
		umpire.PlaceLoader:        {"sitecustomize.py", "usercustomize.py", "site-packages/x.pth"},
		umpire.PlaceSocket:        {"docker.sock", "containerd.sock"},
		umpire.PlaceUmpire:        {"umpire-hook", "bin/umpire", "umpire.exe", "umpire-hook.exe"},
	} {
		for _, name := range list {
			for _, folder := range []string{"", "deep/in/"} {
				if _, p := testMap.Resolve(folder + name); p&want != want {
					t.Errorf("%s: %v, want %v among them", folder+name, p, want)
				}
			}
		}
	}
}

// The files in the system's folders that run in every shell are all known.
func TestStartupOfTheSystem(t *testing.T) {
	for _, name := range []string{"profile", "profile.d/x.sh", "bash.bashrc", "bashrc", "zshrc", "zsh/zshenv", "environment", "environment.d/x.conf", "fish/config.fish", "csh.login", "skel/.bashrc"} {
		if _, p := testMap.Resolve("/etc/" + name); p&umpire.PlaceStartup == 0 {
			t.Errorf("/etc/%s: %v, want startup among them", name, p)
		}
	}
}

// The settings of an agent in the user's home hold its hooks, also when a glob names them.
func TestHooksOfAgents(t *testing.T) {
	for _, folder := range clientFolders {
		if folder[0] != '.' {
			folder = ".config/" + folder
		}
		for _, name := range []string{"settings.json", "hooks.json", "hooks.v1.json", "crush.json", "config/hooks.json", "sett*.json", "h*.json", "*"} {
			if _, p := testMap.Resolve("~/" + folder + "/" + name); p&umpire.PlaceAgentHooks == 0 {
				t.Errorf("~/%s/%s: %v, want the hooks of an agent among them", folder, name, p)
			}
		}
	}
}

// An address is the same in every spelling that the C library reads, and what it does not read is
// a name.
func TestSpellingsOfAddresses(t *testing.T) {
	for _, a := range []uint32{0, 1, 0x7f000001, 0xa9fea9fe, 0x0a0000ff, 0xffffffff, 0xff00ff00} {
		b := [4]byte{byte(a >> 24), byte(a >> 16), byte(a >> 8), byte(a)}
		want := fmt.Sprintf("%d.%d.%d.%d", b[0], b[1], b[2], b[3])
		for _, s := range []string{want, fmt.Sprint(a), fmt.Sprintf("0x%x", a), fmt.Sprintf("0%o", a), fmt.Sprintf("%d.%d", b[0], a&0xffffff), fmt.Sprintf("%d.%d.%d", b[0], b[1], a&0xffff),
			fmt.Sprintf("0x%x.0%o.%d.0X%x", b[0], b[1], b[2], b[3])} {
			if got, ok := number(s); !ok || got.String() != want {
				t.Errorf("%s: got %v, %v, want %s", s, got, ok, want)
			}
		}
	}
	for _, s := range []string{"", "1.2.3.4.5", "256.1.1.1", "1.256.1.1", "1.2.3.256", "1.16777216", "1.2.65536", "4294967296", "1..2", "1.2.", ".1", "08.1.1.1", "0x.1.1.1", "0xg", "1_0.1", "-1", "99999999999999999999"} {
		if got, ok := number(s); ok {
			t.Errorf("%q: got the address %v, want none", s, got)
		}
	}
}
