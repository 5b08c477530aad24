package install

import "testing"

// In the home folder, the settings of the project are the user's: they count once, and as theirs.
func TestTargetsAtHome(t *testing.T) {
	home := t.TempDir()
	for i := range agents {
		scopes := map[string]Scope{}
		for _, tt := range agents[i].targets(Env{Home: home, Dir: home}) {
			if s, ok := scopes[tt.path]; ok && s != tt.scope {
				t.Errorf("%s: %s is of %s and of %s", agents[i].Name, tt.path, s, tt.scope)
			}
			scopes[tt.path] = tt.scope
			if tt.looked && tt.scope == Project { // also a file of another agent, such as Claude Code's for Copilot
				t.Errorf("%s: %s is of a project", agents[i].Name, tt.path)
			}
		}
	}
}
