package operation_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
)

func read(tool, input string) []umpire.Operation {
	return operation.Read(&umpire.Action{Tool: tool, Input: json.RawMessage(input), Dir: "/home/dev/proj", Workspace: "/home/dev/proj", Home: "/home/dev", Temp: "/tmp"}, operation.Env{})
}

// Every client has other names and fields for the same thing.
func TestTools(t *testing.T) {
	for _, tt := range []struct{ tool, input, want string }{
		{"Bash", `{"command":"rm -rf /etc"}`, "delete(/etc)"},
		{"Monitor", `{"command":"rm -rf /etc"}`, "delete(/etc)"},
		{"run_shell_command", `{"command":"rm -rf x","dir_path":"/etc"}`, "delete(/etc/x)"},
		{"run_commands", `{"commands":["ls","rm -rf /etc"]}`, "delete(/etc)"},
		{"Execute", `{"command":"rm -rf /etc","riskLevel":"low"}`, "delete(/etc)"},
		{"shell", `{"command":["bash","-lc","rm -rf /etc"],"workdir":"/"}`, "delete(/etc)"},
		{"PowerShell", `{"command":"Remove-Item -Recurse -Force C:\\Windows"}`, "delete(C:/Windows)"},
		{"Read", `{"file_path":"~/.ssh/id_rsa"}`, "read(/home/dev/.ssh/id_rsa)"},
		{"read_file", `{"file_path":"a.txt"}`, "read(/home/dev/proj/a.txt)"},
		{"read_files", `{"files":[{"path":"a"},{"path":"/etc/shadow"}]}`, "read(/etc/shadow)"},
		{"Write", `{"file_path":"/etc/hosts","content":"x"}`, "write(/etc/hosts)"},
		{"create", `{"path":"/etc/hosts","file_text":"x"}`, "write(/etc/hosts)"},
		{"Edit", `{"file_path":"/etc/hosts","old_string":"a","new_string":"b"}`, "write(/etc/hosts)"},
		{"MultiEdit", `{"file_path":"/etc/hosts","edits":[{"old_string":"a","new_string":"b"}]}`, "write(/etc/hosts)"},
		{"NotebookEdit", `{"notebook_path":"/etc/n.ipynb","new_source":"x"}`, "write(/etc/n.ipynb)"},
		{"edit", `{"path":"x","edits":[{"oldText":"a","newText":"b"}]}`, "write(/home/dev/proj/x)"},
		{"apply_patch", `{"command":"*** Begin Patch\n*** Delete File: ../.bashrc\n*** End Patch\n"}`, "delete(/home/dev/.bashrc)"},
		{"Bash", `{"command":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: /etc/x\n+a\n*** End Patch\nEOF"}`, "exec(apply_patch)"},
		{"Grep", `{"pattern":"KEY","path":"/home/dev/.aws"}`, "read(/home/dev/.aws)"},
		{"WebFetch", `{"url":"http://169.254.169.254/latest","prompt":"x"}`, "network(169.254.169.254:80)"},
		{"web_fetch", `{"prompt":"read https://x.example/a, please"}`, "network(x.example:443)"},
		{"mcp__shell__exec", `{"command":"rm -rf /etc"}`, "delete(/etc)"},
		{"Write", `{"file_path":".envrc","content":"rm -rf /etc"}`, "delete(/etc)"},
		{"Write", `{"file_path":"setup.py","content":"import shutil\nshutil.rmtree('/etc')"}`, "delete(/etc)"},
		{"Write", `{"file_path":".devcontainer/devcontainer.json","content":"{\"initializeCommand\": \"rm -rf /etc\"}"}`, "delete(/etc)"},
		{"mcp__jupyter__execute_cell", `{"source":"x = 1\n!rm -rf /etc"}`, "delete(/etc)"},
		{"mcp__jupyter__execute_cell", `{"source":"%%bash\nrm -rf /etc"}`, "delete(/etc)"},
		{"mcp__http__request", `{"method":"delete","url":"https://x.example/a"}`, "network(DELETE x.example:443/a)"},
		{"mcp__docker__docker", `{"args":["system","prune","-af","--volumes"]}`, "infra(docker prune system)"},
		{"mcp__gcloud__run_gcloud_command", `{"args":["projects","delete","prod"]}`, "infra(gcloud delete projects prod)"},
		{"mcp__terraform__ExecuteTerraformCommand", `{"command":"destroy"}`, "infra(terraform destroy)"},
		{"mcp__pulumi__pulumi-cli-up", `{}`, "infra(pulumi up stack)"},
		{"mcp__docker__run", `{"image":"x","volumes":["/:/host"]}`, "infra(docker mount-host /)"},
		{"mcp__kubernetes__kubectl_get", `{"resourceType":"secrets","output":"yaml"}`, "infra(kubectl reveal secret)"},
		{"mcp__redis__execute", `{"cmd":"FLUSHALL","args":[]}`, "database(flushall)"},
		{"mcp__postgres__query", `{"text":"drop table x"}`, "database(drop-table x)"},
		{"mcp__heroku__pg_psql", `{"command":"delete from users"}`, "database(delete users)"},
		{"mcp__playwright__browser_run_code", `{"code":"require('fs').rmSync('/etc', {recursive: true})"}`, "delete(/etc)"},
		{"mcp__tasks__remove_subtask", `{"projectRoot":"/home/dev/proj"}`, "read(/home/dev/proj)"},
		{"mcp__ide__executeCode", `{"code":"import shutil; shutil.rmtree('/etc')"}`, "delete(/etc)"},
		{"mcp__aws__call_aws", `{"cli_command":"rm -rf /etc"}`, "delete(/etc)"},
		{"mcp__fs__move_file", `{"source":"/etc/hosts","destination":"/tmp/x"}`, "delete(/etc/hosts)"},
		{"Write", `{"file_path":"package.json","content":"{\"scripts\":{\"prepare\":\"rm -rf /etc\"}}"}`, "delete(/etc)"},
		{"Edit", `{"file_path":"package.json","old_string":"x","new_string":"\"postinstall\": \"rm -rf /etc\","}`, "delete(/etc)"},
		{"mcp__proc__spawn", `{"command":"rm","args":["-rf","/etc"]}`, "delete(/etc)"},
		{"mcp__py__run", `{"language":"python","code":"import shutil; shutil.rmtree('/etc')"}`, "delete(/etc)"},
		{"mcp__fs__write_file", `{"path":"/etc/hosts","content":"x"}`, "write(/etc/hosts)"},
		{"mcp__fs__write_files", `{"files":[{"path":"a.txt","content":"x"},{"path":"package.json","content":"{\"scripts\":{\"prepare\":\"rm -rf /etc\"}}"}]}`, "delete(/etc)"},
		{"mcp__fs__write", `{"content":"{\"scripts\":{\"prepare\":\"rm -rf /etc\"}}","file":{"path":"package.json","text":"a"}}`, "delete(/etc)"},
		{"mcp__fs__delete", `{"options":{"target":"/etc/hosts"}}`, "delete(/etc/hosts)"},
		{"mcp__fs__read_file", `{"uri":"file:///etc/shadow"}`, "read(/etc/shadow)"},
		{"mcp__any__thing", `{"deep":[{"er":["https://x.example/"]}]}`, "network(x.example:443)"},
		{"mcp__db__query", `{"sql":"drop table users"}`, "database(drop-table users)"},
		{"Invented", `{"anything":"~/.ssh/id_rsa"}`, "read(/home/dev/.ssh/id_rsa)"},
		{"Agent", `{"prompt":"run rm -rf /etc"}`, "tool(Agent)"},
		{"exec", `{"command":"rm -rf /etc"}`, "delete(/etc)"},
		{"write_stdin", `{"session_id":1,"chars":"rm -rf /etc\n"}`, "delete(/etc)"},
		{"write_bash", `{"shellId":"0","input":"rm -rf /etc"}`, "delete(/etc)"},
		{"write_code", `{"file_path":"/etc/hosts","edits":[{"old_string":"a","new_string":"b"}]}`, "write(/etc/hosts)"},
		{"replace_string_in_file", `{"filePath":"/etc/hosts","oldString":"a","newString":"b"}`, "write(/etc/hosts)"},
		{"multi_replace_string_in_file", `{"replacements":[{"filePath":"/etc/hosts","oldString":"a","newString":"b"}]}`, "write(/etc/hosts)"},
		{"replace_file_content", `{"TargetFile":"/etc/hosts","ReplacementChunks":[{"ReplacementContent":"b"}]}`, "write(/etc/hosts)"},
		{"fs_read", `{"operations":[{"mode":"Line","path":"/etc/shadow"}]}`, "read(/etc/shadow)"},
		{"fs_write", `{"command":"create","path":"/etc/hosts","file_text":"x"}`, "write(/etc/hosts)"},
		{"fetch_webpage", `{"urls":["https://x.example/a"],"query":"x"}`, "network(x.example:443)"},
		{"Bash", `{"command":"rm","args":["-rf","/etc"]}`, "delete(/etc)"},
		{"mcp__shell__exec", `{"params":"{\"command\":\"rm -rf /etc\"}"}`, "delete(/etc)"},
		{"mcp__flow__start", `{"steps":[{"run":"ls"},{"run":"rm -rf /etc"}]}`, "delete(/etc)"},
		{"mcp__tools__go", `{"python_code":"import shutil; shutil.rmtree('/etc')"}`, "delete(/etc)"},
		{"mcp__tools__go", `{"shellCode":"rm -rf /etc"}`, "delete(/etc)"},
		{"Grep", `{"pattern":"KEY","path":"/home/dev","glob":"**/id_rsa","output_mode":"content"}`, "read(/home/dev/**/id_rsa)"},
		{"grep_search", `{"pattern":"KEY","include":".env"}`, "read(/home/dev/proj/.env)"},
		{"StrReplaceFile", `{"path":"/etc/hosts","edit":{"old":"a","new":"b"}}`, "write(/etc/hosts)"},
	} {
		var got []string
		for _, o := range read(tt.tool, tt.input) {
			got = append(got, o.String())
		}
		if !slices.Contains(got, tt.want) {
			t.Errorf("%s %s\nreads %q,\nlacks %s", tt.tool, tt.input, got, tt.want)
		}
	}
}

// A notebook's cell stands in no command, so its operations name the file alone.
func TestNotebookOrigin(t *testing.T) {
	for _, o := range read("NotebookEdit", `{"notebook_path":"a.ipynb","new_source":"!rm -rf /etc","cell_type":"code"}`) {
		if o.Kind == umpire.Delete && o.Origin != "a.ipynb" {
			t.Errorf("%s is from %q", o, o.Origin)
		}
	}
}

func TestVerbs(t *testing.T) {
	for tool, want := range map[string]umpire.Trait{
		"mcp__github__delete_repo":         umpire.Destroy,
		"mcp__github__deleteRepo":          umpire.Destroy,
		"mcp__github__merge_pull_request":  umpire.Mutate,
		"mcp__slack__send_message":         umpire.Message,
		"mcp__stripe__create_refund":       umpire.Payment,
		"mcp__github__list_deleted_items":  0,
		"mcp__github__get_issue":           0,
		"mcp__files__search_and_replace":   0,
		"mcp__db__truncateTable":           umpire.Destroy,
		"mcp__git__git_checkout":           umpire.Mutate,
		"mcp__shop__checkout":              umpire.Payment,
		"mcp__redis__flushall":             umpire.Destroy,
		"mcp__mail__search_sent_messages":  0,
		"server-remove_everything":         umpire.Destroy,
		"mcp__x__describe_delete_policies": 0,
	} {
		ops := read(tool, `{}`)
		tools := slices.DeleteFunc(slices.Clone(ops), func(o umpire.Operation) bool { return o.Kind != umpire.Tool }) // git_checkout is git's, too
		if len(tools) != 1 || !ops[0].Traits.Has(want) || want == 0 && ops[0].Traits&(umpire.Destroy|umpire.Message|umpire.Payment) != 0 {
			t.Errorf("%s: %+v", tool, ops)
		}
	}
}

// Each of these words alone makes a tool grave, wherever in its name it is: a word that is lost
// would let every tool of that name run without a question.
func TestGraveWords(t *testing.T) {
	const grave = umpire.Destroy | umpire.Remote | umpire.Message | umpire.Payment | umpire.Mutate
	for want, words := range map[umpire.Trait]string{
		umpire.Destroy | umpire.Mutate: "delete remove drop destroy purge wipe truncate terminate kill erase uninstall unlink rm rmdir clear reset flush flushall flushdb deprovision prune empty nuke decommission unpublish",
		umpire.Remote | umpire.Mutate:  "merge publish deploy release push promote submit approve rollback scale restart stop trigger dispatch grant revoke execute cancel suspend deactivate ban reboot shutdown poweroff drain evict failover rotate authorize",
		umpire.Message | umpire.Mutate: "send post reply forward email mail notify tweet message dm invite share broadcast respond",
		umpire.Payment | umpire.Mutate: "pay charge refund transfer purchase buy checkout payout withdraw trade order subscribe donate",
	} {
		for word := range strings.FieldsSeq(words) {
			for _, tool := range []string{word + "_thing", "thing_" + word, "create_thing_" + word, word} {
				ops := read("mcp__x__"+tool, `{}`)
				if got := ops[0].Traits & grave; got&want != want {
					t.Errorf("%s: traits %v, want %v among them", tool, got, want)
				}
			}
			if ops := read("mcp__x__list_"+word+"_things", `{}`); ops[0].Traits&grave != 0 {
				t.Errorf("list_%s_things: traits %v, want none of %v", word, ops[0].Traits, grave)
			}
		}
	}
}

// A client's own tools, which act only within the client, are known by name. A stranger's tool of a
// name like theirs is not, nor one whose server the client does not name.
func TestClientTools(t *testing.T) {
	for tool, want := range map[string]bool{
		"TodoWrite": true, "Task": true, "ExitPlanMode": true, "think": true, "spawn_agent": true, "SendMessage": true,
		"frobnicate": false, "mcp__x__think": false, "think_" + umpire.Hole: false,
	} {
		ops := read(tool, `{}`)
		if len(ops) != 1 || ops[0].Kind != umpire.Tool || ops[0].Traits.Has(umpire.Described) != want {
			t.Errorf("%s: %+v, want one operation that is described: %t", tool, ops, want)
		}
	}
}

// A secret belongs in no service. A file of this machine may hold one, and so may a request that
// only reads.
func TestSecretsForServices(t *testing.T) {
	const secret = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	for _, tt := range []struct {
		tool, input string
		want        bool
	}{
		{"mcp__tracker__create_issue", `{"title":"a","body":"` + secret + `"}`, true},
		{"mcp__github__create_file", `{"repo":"r","owner":"o","path":"a.txt","content":"` + secret + `"}`, true},
		{"mcp__storage__create_object", `{"bucket":"b","file_path":"a.txt","content":"` + secret + `"}`, true},
		{"mcp__fs__create_file", `{"path":"a.txt","content":"` + secret + `"}`, false},
		{"mcp__fs__create_file", `{"file-path":"a.txt","content":"` + secret + `"}`, false},
		{"mcp__brave__search", `{"query":"` + secret + `"}`, true},
		{"mcp__tracker__get_issue", `{"token":"` + secret + `"}`, false},
	} {
		got := slices.ContainsFunc(read(tt.tool, tt.input), func(o umpire.Operation) bool { return o.Traits.Has(umpire.CarriesSecret) })
		if got != tt.want {
			t.Errorf("%s %s: carries a secret: %t, want %t", tt.tool, tt.input, got, tt.want)
		}
	}
}

// The adversary writes what a tool understands in a way that the reading might not:
// another field, another spelling, or behind more padding than is looked at.
func TestSpellingsOfInput(t *testing.T) {
	for _, tt := range []struct{ tool, input, want string }{
		{"Bash", `{"command":"ls","script":"rm -rf /etc"}`, "delete(/etc)"},
		{"Bash", `{"command":["rm -rf /etc"]}`, "delete(/etc)"},
		{"run_commands", `{"commands":["ls",{"command":"rm -rf /etc"}]}`, "delete(/etc)"},
		{"mcp__proc__spawn", `{"command":["rm","-rf","/etc"]}`, "delete(/etc)"},
		{"mcp__proc__spawn", `{"argv":["rm","-rf","/etc"]}`, "delete(/etc)"},
		{"mcp__web__get", `{"url":"https://evil.example/?` + strings.Repeat("a", 5000) + `"}`, "network(evil.example:443)"},
		{"mcp__web__get", `{"url":"evil.example/x"}`, "network(evil.example:443)"},
		{"mcp__web__get", `{"link":" ht\ttps://evil\n.example/x"}`, "network(evil.example:443)"},
		{"mcp__web__get", `{"link":"FILE://localhost/etc/shadow"}`, "read(/etc/shadow)"},
		{"mcp__web__get", `{"link":"file:/etc/%73hadow"}`, "read(/etc/shadow)"},
		{"WebFetch", `{"url":" file:///etc/shadow"}`, "read(/etc/shadow)"},
		{"mcp__fs__get", `{"x":" /etc/shadow\n"}`, "read(/etc/shadow)"},
	} {
		var got []string
		for _, op := range read(tt.tool, tt.input) {
			s, _, _ := strings.Cut(op.String(), " ")
			got = append(got, s)
		}
		if !strings.Contains(strings.Join(got, " "), tt.want) {
			t.Errorf("%s %.80s: %v, want %s", tt.tool, tt.input, got, tt.want)
		}
	}
}

// A call without operations is denied, so every call has one.
func TestEveryCallIsRead(t *testing.T) {
	for _, tool := range []string{"", "Read", "Write", "Grep", "Glob", "TodoWrite", "WebFetch", "WebSearch", "apply_patch", "delete", "powershell", "cmd", "write_stdin", "mcp__x__y"} {
		for _, in := range []string{"", "{}", "null", "[]", `"x"`, `{"a":1}`, `{"command":""}`, `{"file_path":""}`, `{"command":"# x"}`} {
			if len(read(tool, in)) == 0 {
				t.Errorf("%s %s reads as nothing", tool, in)
			}
		}
	}
}

// Input that is not what it should be is Unknown, never nothing.
func TestBadInput(t *testing.T) {
	for _, in := range []string{"[]", `"x"`, "{", "null", "", `{"command":1}`, `{"command":{"command":"ls"}}`, `{"command":["a",1]}`, `{"command":""}`, `{"command":"# x"}`, `{"command":"x=1"}`, `{"command":"f() { ls; }"}`, strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)} {
		if ops := read("Bash", in); len(ops) == 0 {
			t.Errorf("%.40s reads as nothing", in)
		}
	}
}

// Whoever finds an input that makes the reader panic has not found a way past it.
func TestPanicIsUnseen(t *testing.T) {
	ops := operation.Read(&umpire.Action{Tool: "Bash", Input: json.RawMessage(`{"command":"rm -rf /etc; echo $BOOM"}`), Dir: "/w", Home: "/home/dev"},
		operation.Env{Getenv: func(name string) (string, bool) {
			if name == "BOOM" {
				panic("on purpose")
			}
			return "", false
		}})
	if len(ops) < 2 || ops[len(ops)-1].Traits&umpire.UnseenCode == 0 {
		t.Errorf("%+v", ops)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("Bash", `{"command":"ls"}`)
	f.Add("mcp__a__delete", `{"a":[{"path":"x"}],"command":"rm","args":["x"]}`)
	f.Add("apply_patch", `{"input":"*** Begin Patch\n*** Add File: x\n"}`)
	f.Fuzz(func(t *testing.T, tool, input string) {
		if len(input) > 4<<10 {
			return
		}
		ops := read(tool, input)
		if len(ops) == 0 {
			t.Errorf("%s %q reads as nothing", tool, input)
		}
		for _, o := range ops {
			if strings.HasPrefix(o.Source, "panic: ") {
				t.Errorf("%s %q: %s", tool, input, o.Source)
			}
		}
	})
}

// What lies around a home is nobody's project.
func TestAroundHomeIsNoWorkspace(t *testing.T) {
	for _, tt := range []struct {
		workspace, path string
		in              bool
	}{{"/home/dev/proj", "/home/dev/proj/x", true}, {"/home", "/home/other/x", false}, {"/", "/opt/x", false}, {"/home/dev", "/home/dev/x", false}} {
		ops := operation.Read(&umpire.Action{Tool: "Bash", Input: json.RawMessage(`{"command":"rm ` + tt.path + `"}`), Dir: tt.workspace, Workspace: tt.workspace, Home: "/home/dev"}, operation.Env{})
		in := false
		for _, op := range ops {
			in = in || op.Kind == umpire.Delete && op.Places&umpire.PlaceInWorkspace != 0
		}
		if in != tt.in {
			t.Errorf("workspace %s: %s is in it: %v", tt.workspace, tt.path, in)
		}
	}
}

// A message with a secret in it is a leak, whoever it is for.
func TestMessagesWithSecrets(t *testing.T) {
	for text, want := range map[string]bool{
		"ghp_0123456789abcdefghijABCDEFGHIJ012345": true,
		"done, see the log":                        false,
	} {
		got := false
		for _, o := range read("mcp__slack__post_message", `{"channel":"c","text":"`+text+`"}`) {
			got = got || o.Traits.Has(umpire.Exfiltration)
		}
		if got != want {
			t.Errorf("%s: exfiltration %v, want %v", text, got, want)
		}
	}
}
