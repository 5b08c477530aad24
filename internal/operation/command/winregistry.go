package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// registry reports whether a path is in the Windows registry.
func registry(p string) bool {
	l := strings.ToLower(strings.TrimPrefix(p, "Registry::"))
	return anyof.HasPrefix(l, "hklm:", "hkcu:", "hkcr:", "hku:", "hkey_", "hklm\\", "hkcu\\", "hkcr\\", "hku\\", "registry::")
}

func (c *Call) registryOp(verb string, key Word) {
	t := umpire.Mutate
	// Compare without backslashes, because a Unix shell removes an unquoted one.
	l := strings.NewReplacer(`\`, "", "/", "", ":", "", " ", "").Replace(strings.ToLower(key.Text))
	for _, k := range []string{"currentversionrun", "winlogon", "imagefileexecutionoptions", "appinit_dlls", "shellopencommand", "currentcontrolsetservices", "sessionmanager", "inprocserver32"} {
		if strings.Contains(l, k) {
			t |= umpire.Persistence
		}
	}
	for _, k := range []string{"windowsdefender", "enablelua", "policiessystem", "disableantispyware", "controllsa", "amsi", "scriptblocklogging", "terminalserver", "securityhealth", "wdigest"} {
		if strings.Contains(l, k) {
			t |= umpire.Loosened
		}
	}
	for _, k := range []string{"software", "system", "sam", "security", "software*", "system*"} {
		if verb == "delete" && (l == "hklm"+k || l == "hkey_local_machine"+k || l == "hkcu"+k || l == "hkey_current_user"+k || l == "hklm") {
			t |= umpire.Bulk | umpire.Irreversible
		}
	}
	if verb == "delete" {
		t |= umpire.Destroy
	}
	c.Op(umpire.System, Quote("registry "+verb, []Word{key}), t)
}

func doItemProperty(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	if len(ws) == 0 || !registry(ws[0].Text) {
		return
	}
	n, _ := c.Opt("-Name")
	key := ws[0]
	if n.Text != "" {
		key.Text += `\` + n.Text
	}
	verb := "set"
	if c.Program == "remove-itemproperty" {
		verb = "delete"
	}
	c.registryOp(verb, key)
	if v, ok := c.Opt("-Value"); ok && strings.Contains(strings.ToLower(key.Text), `\run`) {
		c.Code("cmd", v, Run{Traits: umpire.Persistence})
	}
}

func doReg(c *Call) {
	if len(c.Operands) < 2 {
		return
	}
	key := c.Operands[1]
	if v, ok := c.Opt("/v"); ok {
		key.Text += `\` + v.Text
	}
	l := strings.ToLower(key.Text)
	switch strings.ToLower(c.Operands[0].Text) {
	case "delete":
		c.registryOp("delete", key)
	case "add", "copy", "restore", "load", "unload":
		c.registryOp("set", key)
		if d, ok := c.Opt("/d"); ok && strings.Contains(l, "run") {
			c.Code("cmd", d, Run{Traits: umpire.Persistence})
		}
	case "import":
		c.ReadFile(c.Operands[1])
		c.registryOp("set", Lit(umpire.Hole))
	case "save", "export":
		if strings.HasPrefix(l, "hk") && anyof.HasSuffix(l, "sam", "security", `system`) {
			c.Op(umpire.System, Quote("secret dump registry", c.Operands[1:2]), umpire.CarriesSecret)
		}
	}
}

func doRegedit(c *Call) {
	if c.Has("/s") || len(c.Operands) > 0 {
		c.registryOp("set", Lit("file"))
	}
}
