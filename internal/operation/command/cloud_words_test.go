package command

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

func TestReadPhrase(t *testing.T) {
	for line, want := range map[string]struct {
		deed wording.Deed
		rest string
	}{
		"compute instances delete web":  {wording.Destroys, "web"},
		"compute instances list delete": {wording.Reads, "delete"},
		"rm project":                    {wording.Destroys, "project"},
		"deploy service reset":          {wording.Changes, "service reset"}, // reset is a name
		"scale show":                    {wording.Reads, ""},
		"volumes destroy vol_1 vol_2":   {wording.Destroys, "vol_1 vol_2"},
		"logs web":                      {wording.Unknown, ""},
	} {
		p := readPhrase(Lits(strings.Fields(line)...))
		var rest []string
		for _, w := range p.rest {
			rest = append(rest, w.Text)
		}
		if p.deed != want.deed || strings.Join(rest, " ") != want.rest {
			t.Errorf("%s: %d %q, want %d %q", line, p.deed, rest, want.deed, want.rest)
		}
	}
}

// silent is a Host that knows nothing and keeps what it is told.
type silent struct{ ops []umpire.Operation }

func (s *silent) Emit(op umpire.Operation)            { s.ops = append(s.ops, op) }
func (s *silent) Path(w Word) (string, umpire.Place)  { return w.Text, 0 }
func (s *silent) Run(args []Word, r Run)              {}
func (s *silent) Script(lang string, _ Stream, r Run) {}
func (s *silent) Tasks(string, *Call)                 {}
func (s *silent) File(Word) Stream                    { return Stream{} }
func (s *silent) Wrote(Word) bool                     { return false }
func (s *silent) Starts(Word) Stream                  { return Stream{} }
func (s *silent) Names(Word) []string                 { return nil }
func (s *silent) SomeNames(Word) []string             { return nil }
func (s *silent) ScriptAt(Word) Stream                { return Stream{} }
func (s *silent) Exists(Word) bool                    { return false }
func (s *silent) Unchanged(Word, string) bool         { return false }
func (s *silent) Brings(Word, string, string)         {}
func (s *silent) Store(Word, Stream)                  {}
func (s *silent) Var(string) (Word, bool)             { return Word{}, false }
func (s *silent) Assigned(string) bool                { return false }
func (s *silent) SetVar(name string, w Word)          {}
func (s *silent) Define(string, Word)                 {}
func (s *silent) Defined(string) []Word               { return nil }
func (s *silent) Link(Word, Word)                     {}
func (s *silent) Moved(Word, Word)                    {}
func (s *silent) Copied(Word, Word)                   {}
func (s *silent) Follow(w Word) Word                  { return w }
func (s *silent) Chdir(Word)                          {}
func (s *silent) Model(name string) *Model            { return Lookup(name) }

// No arguments make a client's Model panic, and help never does anything.
func FuzzClients(f *testing.F) {
	f.Add("aws s3 rm s3://b --recursive")
	f.Add("docker run --mount type=bind,src=/,dst=/h -v :/ alpine rm -rf /h")
	f.Add("kubectl delete ns,pv/x --all -- rm")
	f.Add("vault operator raft snapshot")
	f.Add("redis-cli --cluster del-node")
	f.Add("borg delete")
	f.Add("knex migrate:rollback --all")
	f.Add("bq rm")
	f.Add("azcopy sync --delete-destination=true a b")
	var clients []*Model // one for each way to read clients of services
	for name := range strings.FieldsSeq("aliyun aws bq borg psql sqlite3 skopeo azcopy docker rclone vault vagrant terraform salt redis-cli rabbitmqctl kubectl mongosh kafka-topics influx helm gsutil gcloud etcdctl stripe") {
		m := Lookup(name)
		if m == nil {
			f.Fatalf("%s is not described", name)
		}
		clients = append(clients, m)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := Lits(strings.Fields(line)...)
		if len(words) == 0 || len(words) > 64 {
			return
		}
		for _, m := range clients {
			name, _, _ := strings.Cut(m.Names, " ")
			h := &silent{}
			NewCall(h, m, name, words[1:], Unseen(0)).Perform()
			for _, op := range h.ops {
				if strings.Contains(op.Resource, umpire.Hole) && !op.Traits.Has(umpire.Unknown) {
					t.Errorf("%s: %v has a hole and is not unknown", line, op)
				}
			}
		}
	})
}
