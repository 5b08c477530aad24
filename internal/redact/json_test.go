package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"command":"ls -l","n":[1,2,{"a":null}]}`: `{"command":"ls -l","n":[1,2,{"a":null}]}`,
		`{"password":"hunter2","user":"bob"}`:      `{"password":"[masked:password]","user":"bob"}`,
		`{"password":12345,"max_tokens":4096}`:     `{"password":"[masked:password]","max_tokens":4096}`,
		`{"credentials":{"user":"b","x":["y z"]}}`: `{"credentials":{"user":"[masked:credential]","x":["[masked:credential]"]}}`,
		`{"args":["-v","--password","hunter2"]}`:   `{"args":["-v","--password","[masked:password]"]}`,
		`[{"name":"DB_PASS","value":"hunter2"}]`:   `[{"name":"DB_PASS","value":"[masked:password]"}]`,
		`{"p\u0061ssword":"hunter2"}`:              `{"p\u0061ssword":"[masked:password]"}`,
		`{"command":"mysql -phunter2 db"}`:         `{"command":"mysql -p[masked:password] db"}`,
		`{"c":"TOKEN=\"abc def\" x"}`:              `{"c":"TOKEN=\"[masked:token]\" x"}`,
		`{"token":true,"secret":null,"a":""}`:      `{"token":true,"secret":null,"a":""}`,
		`not json password=hunter2`:                `"not json password=[masked:password]"`,
	} {
		if got := string(JSON(json.RawMessage(in))); got != want {
			t.Errorf("JSON(%s)\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	for in, want := range map[string]string{
		"mysql -u root -phunter2 db":                    "mysql -u root -p[masked:password] db",
		"mysql -p db":                                   "mysql -p db",
		"sudo docker exec db mysql -phunter2":           "sudo docker exec db mysql -p[masked:password]",
		"bash -c 'mysql -phunter2 db'":                  "bash -c 'mysql -p[masked:password] db'",
		"sshpass -p 'a b' ssh h":                        "sshpass -p '[masked:password]' ssh h",
		"docker login -u bob -p hunter2 reg":            "docker login -u bob -p [masked:password] reg",
		"docker run -p 80:80 img":                       "docker run -p 80:80 img",
		"curl -u bob:hunter2 https://h/":                "curl -u bob:[masked:password] https://h/",
		"curl -u bob https://h/":                        "curl -u bob https://h/",
		"redis-cli -a hunter2 get x":                    "redis-cli -a [masked:password] get x",
		"redis-cli -a $PASS get x":                      "redis-cli -a $PASS get x",
		"mkdir -p a/b && cp -p x y":                     "mkdir -p a/b && cp -p x y",
		"aws configure set aws_secret_access_key abc/d": "aws configure set aws_secret_access_key [masked:secret]",
		"vault login hvx":                               "vault login [masked:token]",
		"echo mysql; grep -pfoo x":                      "echo mysql; grep -pfoo x",
	} {
		if got := Command(in); got != want {
			t.Errorf("Command(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(`{"a":["--token","x"],"password":{"b":[1,"c"]}}`)
	f.Add(`{"command":"curl -u a:b x","k\u0065y":"\ud800"}`)
	f.Fuzz(func(t *testing.T, in string) {
		once := JSON(json.RawMessage(in))
		if len(in) > 0 && !json.Valid(once) {
			t.Fatalf("JSON(%q) is not valid: %q", in, once)
		}
		if twice := JSON(once); string(twice) != string(once) {
			t.Fatalf("masking twice changes the text:\n in %q\n 1: %q\n 2: %q", in, once, twice)
		}
	})
}

func FuzzCommand(f *testing.F) {
	f.Add("sudo mysql -pa 'b c' | curl -u a:b x; docker login -p q")
	f.Fuzz(func(t *testing.T, in string) {
		once := Command(in)
		if twice := Command(once); twice != once {
			t.Fatalf("masking twice changes the text:\n in %q\n 1: %q\n 2: %q", in, once, twice)
		}
		if got := Command("sshpass -p q" + strings.Repeat("7x", 8) + " " + in); strings.Contains(got, "7x7x7x7x7x7x7x7x") &&
			!strings.Contains(in, "7x7x7x7x") {
			t.Fatalf("the secret is still there: %q", got)
		}
	})
}
