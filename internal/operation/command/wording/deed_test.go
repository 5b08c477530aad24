package wording

import "testing"

func TestDeedIn(t *testing.T) {
	for word, want := range map[string]Deed{
		"delete":             Destroys,
		"delete-db-instance": Destroys,
		"DeleteInstance":     Destroys,
		"delete_vhost":       Destroys,
		"batch-delete-image": Destroys,
		"apps:destroy":       Destroys,
		"env:list":           Reads,
		"list-deleted-items": Reads,
		"describe-instances": Reads,
		"put-object":         Changes,
		"deploy":             Changes,
		"deleted":            Unknown,
		"my-delete-queue":    Unknown,
		"/srv/delete":        Unknown,
		"arn:aws:s3:::rm":    Destroys, // read as a group and verb; only names after a verb look so
		"":                   Unknown,
	} {
		if got := DeedIn(word); got != want {
			t.Errorf("DeedIn(%q) = %d, want %d", word, got, want)
		}
	}
}

func TestDeed(t *testing.T) {
	for name, want := range map[string]string{"delete-bucket": "destroys", "permanent-delete": "destroys", "list": "reads", "createUser": "changes", "frob": ""} {
		if got := DeedName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
