package shell

import "github.com/umpire-dev/umpire/internal/disk"

// guarded are files in the home that keep their places under another hard link. A name with a slash
// at the end is a folder and stands for the files in it.
var guarded = [...]string{
	".ssh/", ".aws/", ".config/umpire/", ".local/state/umpire/", ".config/gh/", ".claude/", ".codex/",
	".netrc", ".git-credentials", ".npmrc", ".pypirc", ".docker/config.json", ".kube/config", ".claude.json", ".gemini/settings.json", ".gemini/oauth_creds.json", ".cursor/hooks.json", ".config/gcloud/application_default_credentials.json",
	".bashrc", ".zshrc", ".zshenv", ".profile", ".bash_profile",
}

// maxGuarded bounds the files of one folder. Adding files to these folders needs approval, so an
// adversary cannot fill them.
const maxGuarded = 64

// guardedName returns the guarded file that abs is another hard link of.
func (sh *shell) guardedName(abs string) (string, bool) {
	v := sh.paths.view
	i := v.Lstat(abs)
	if i.Kind != disk.Regular || i.Links < 2 || i.ID == (disk.ID{}) {
		return "", false
	}
	if sh.paths.twins == nil {
		sh.paths.twins = map[disk.ID]string{}
		v := v.Another() // a separate view: a change of these files does not invalidate the decision on the call
		add := func(at string) {
			for _, f := range v.Resolve(at, true) {
				if g := v.Lstat(f.Path); g.Kind == disk.Regular && g.Links > 1 {
					sh.paths.twins[g.ID] = at
				}
			}
		}
		m := sh.env.Map
		add("/etc/shadow")
		if m.Workspace != "" {
			add(m.Workspace + "/.umpire.yaml")
		}
		for _, name := range guarded {
			at := m.Home + "/" + name
			if name[len(name)-1] != '/' {
				add(at)
				continue
			}
			for _, f := range v.Resolve(at, true) {
				names, _ := v.Names(f.Path)
				for _, n := range names[:min(len(names), maxGuarded)] {
					add(at + n.Name)
				}
			}
		}
	}
	name, ok := sh.paths.twins[i.ID]
	return name, ok && name != abs
}
