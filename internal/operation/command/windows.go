package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

const cmdlet = CaseFold | LongDash

const common = " -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_"

// windowsModels are PowerShell's cmdlets and the programs of Windows. Their options
// begin with - or /, in any case, and cmdlets' may be shortened to what is unique.
var windowsModels = []Model{
	{Names: "powershell pwsh powershell_ise", Style: NoOptions, Do: doPowershell},
	{Names: "cmd", Style: NoOptions, Do: doCmd},

	{Names: "remove-item", Style: cmdlet, Opts: "-Path,-LiteralPath,-PSPath,-LP=_ -Stream=_" + common, Do: doRemoveItem},
	{Names: "del", Style: Windows | CaseFold, Opts: "/s+recursive /q+force /f+force /p /a", Do: doDel},
	{Names: "rd", Style: Windows | CaseFold, Opts: "/s+recursive /q+force", Do: doDel},
	{Names: "deltree", Style: Windows | CaseFold, Opts: "/y+force", Do: doDel},
	{Names: "clear-content clear-item", Style: cmdlet, Opts: "-Path,-LiteralPath=_" + common, Do: doClearContent},
	{Names: "set-content add-content out-file tee-object export-csv export-clixml", Style: cmdlet, Opts: "-Path,-LiteralPath,-FilePath,-PSPath=_ -Value=_ -InputObject=_ -Encoding=_ -Width=_ -Delimiter=_ -Append -Variable=_" + common, Do: doSetContent},
	{Names: "get-content select-string import-csv import-clixml format-hex", Style: cmdlet, Opts: "-Path,-LiteralPath,-PSPath=_ -Pattern=_ -TotalCount,-Head,-First=_ -Tail,-Last=_ -Encoding=_ -Delimiter=_ -ReadCount=_ -Raw -Wait" + common, Do: doGetContent},
	{Names: "get-childitem get-item resolve-path", Style: cmdlet, Opts: "-Path,-LiteralPath=_ -Depth=_ -Attributes=_ -File -Directory -Name" + common, Do: doGetChildItem},
	{Names: "copy-item", Style: cmdlet, Opts: "-Path,-LiteralPath=_ -Destination=_ -ToSession=_ -FromSession=_" + common, Do: doCopyItem},
	{Names: "move-item rename-item", Style: cmdlet, Opts: "-Path,-LiteralPath=_ -Destination,-NewName=_" + common, Do: doMoveItem},
	{Names: "new-item", Style: cmdlet, Opts: "-Path=_ -Name=_ -ItemType,-Type=_ -Value,-Target=_" + common, Do: doNewItem},
	{Names: "set-location push-location", Style: cmdlet, Opts: "-Path,-LiteralPath=D -StackName=_", Args: "D"},
	{Names: "set-itemproperty new-itemproperty remove-itemproperty set-item", Style: cmdlet, Opts: "-Path,-LiteralPath=_ -Name=_ -Value=_ -PropertyType,-Type=_" + common, Do: doItemProperty},
	{Names: "invoke-webrequest invoke-restmethod", Style: cmdlet, Opts: "-Uri=_ -OutFile=_ -Method,-CustomMethod=_ -Body=_ -InFile=_ -Headers=_ -ContentType=_ -Proxy=_ -UserAgent=_ -WebSession,-SessionVariable=_ -TimeoutSec=_ -MaximumRedirection=_ -Certificate=_ -Form=_ -Token=_ -Authentication=_ -UseBasicParsing" + common, Do: doWebRequest},
	{Names: "start-bitstransfer", Style: cmdlet, Opts: "-Source=_ -Destination=_ -TransferType=_ -DisplayName=_ -Asynchronous" + common, Do: doBits},
	{Names: "invoke-item", Style: cmdlet, Opts: "-Path,-LiteralPath=_" + common, Do: doInvokeItem},
	{Names: "import-module add-type", Style: cmdlet, Opts: "-Name=_ -TypeDefinition=_ -Path=_ -AssemblyName=_" + common},
	{Names: "send-mailmessage", Style: cmdlet, Opts: "-To=_ -From=_ -Subject=_ -Body=_ -Attachments=_ -SmtpServer=_" + common, Do: doSendMail},
	{Names: "get-clipboard", Style: cmdlet, Do: doGetClipboard},
	{Names: "convertfrom-securestring get-storedcredential", Style: cmdlet, Do: doStoreRead},

	// The machine.
	{Names: "stop-computer restart-computer", Style: cmdlet, Opts: common, Do: doStopComputer},
	{Names: "stop-service set-service remove-service suspend-service restart-service disable-service", Style: cmdlet, Opts: "-Name,-DisplayName=_ -StartupType=_ -Status=_" + common, Do: doWinService},
	{Names: "stop-process", Style: cmdlet, Opts: "-Name,-ProcessName=_ -Id=_ -InputObject=_" + common, Do: doStopProcess},
	{Names: "format-volume clear-disk initialize-disk remove-partition set-disk clear-physicaldisk remove-virtualdisk remove-storagepool reset-physicaldisk", Style: cmdlet, Opts: "-DriveLetter=_ -Number=_ -DiskNumber=_ -PartitionNumber=_ -FriendlyName=_ -FileSystem=_ -RemoveData -RemoveOEM" + common, Do: doDisk},
	{Names: "clear-eventlog remove-eventlog limit-eventlog clear-history", Style: cmdlet, Opts: "-LogName=_" + common, Do: doClearLog},
	{Names: "set-executionpolicy", Style: cmdlet, Opts: "-ExecutionPolicy=_ -Scope=_" + common, Do: doExecutionPolicy},
	{Names: "set-mppreference add-mppreference remove-mppreference uninstall-windowsfeature disable-windowsoptionalfeature set-netfirewallprofile disable-netfirewallrule remove-netfirewallrule new-netfirewallrule disable-bitlocker suspend-bitlocker set-psdebug disable-computerrestore", Style: cmdlet, Opts: "-Enabled=_ -Profile,-All=_ -Name=_ -DisplayName=_ -Direction=_ -Action=_ -ExclusionPath=_ -ExclusionProcess=_ -MountPoint=_ -Drive=_" + common, Do: doProtection},
	{Names: "register-scheduledtask new-scheduledtask register-scheduledjob set-scheduledtask new-service register-wmievent register-cimindicationevent unregister-scheduledtask disable-scheduledtask enable-psremoting register-objectevent", Style: cmdlet, Opts: "-TaskName=_ -Action=_ -Trigger=_ -BinaryPathName=_ -Name=_ -ScriptBlock=_" + common, Do: doSchedule},
	{Names: "new-localuser set-localuser remove-localuser add-localgroupmember remove-localgroupmember new-aduser remove-aduser set-adaccountpassword add-adgroupmember remove-adobject remove-adgroup disable-adaccount remove-adorganizationalunit enable-localuser disable-localuser", Style: cmdlet, Opts: "-Name=_ -Group=_ -Member=_ -Password=_ -Identity=_" + common, Do: doAccounts},
	{Names: "set-acl", Style: cmdlet, Opts: "-Path,-LiteralPath=_ -AclObject=_" + common, Do: doSetACL},
	{Names: "disable-netadapter remove-netroute remove-netipaddress set-dnsclientserveraddress", Style: cmdlet, Opts: "-Name=_" + common, Do: doNetAdapter},
	{Names: "invoke-wmimethod invoke-cimmethod", Style: cmdlet, Opts: "-Class,-ClassName=_ -Name,-MethodName=_ -ArgumentList,-Arguments=_ -Path=_" + common, Do: doWmiMethod},
	{Names: "get-wmiobject get-ciminstance remove-wmiobject remove-ciminstance", Style: cmdlet, Opts: "-Class,-ClassName=_ -Namespace=_ -Query=_" + common, Do: doWmi},
	{Names: "remove-vm stop-vm remove-vmsnapshot remove-vhd dismount-vhd", Style: cmdlet, Opts: "-Name=_ -VMName=_ -Path=_" + common, Do: doHyperV},
	{Names: "clear-recyclebin", Style: cmdlet, Opts: common, Do: doRecycleBin},
	{Names: "checkpoint-computer restore-computer", Style: cmdlet},

	{Names: "diskshadow", Style: Windows | CaseFold, Do: doShadow},
	{Names: "bootrec bcdboot bootcfg reagentc", Style: Windows | CaseFold, Do: doBootConfig},
	{Names: "auditpol", Style: Windows | CaseFold, Do: doAuditpol},
	{Names: "fsutil", Style: Windows | CaseFold, Do: doFsutil},
	{Names: "cipher", Style: Windows | CaseFold, Opts: "/w?=_", Do: doCipher},
	{Names: "diskpart", Style: Windows | CaseFold, Opts: "/s=_", Do: doDiskpart},
	{Names: "schtasks at.exe", Style: Windows | CaseFold, Opts: "/create /delete /change /run /tn=_ /tr=c /sc=_ /st=_ /ru=_ /rp=_ /s=_ /u=_ /p=_ /xml=_", Do: doSchtasks},
	{Names: "sc sc.exe", Style: NoOptions, Do: doSc},
	{Names: "net net1", Style: Windows | CaseFold | NoInert, Do: doNet},
	{Names: "netsh", Style: NoOptions, Do: doNetsh},
	{Names: "reg", Style: Windows | CaseFold, Opts: "/v=_ /t=_ /d=_ /f+force /va /ve", Do: doReg},
	{Names: "regedit", Style: Windows | CaseFold, Opts: "/s", Do: doRegedit},
	{Names: "takeown", Style: Windows | CaseFold, Opts: "/f=_ /r+recursive /d=_ /a", Do: doTakeown},
	{Names: "icacls cacls xcacls", Style: Windows | CaseFold, Opts: "/t+recursive /grant=_ /deny=_ /setowner=_ /reset /inheritance=_ /q /c /g=_ /e /p=_ /remove=_", Do: doIcacls},
	{Names: "attrib", Style: Windows | CaseFold},
	{Names: "robocopy", Style: Windows | CaseFold, Opts: "/mir /purge /move /mov /l+inert /xf=_ /xd=_ /log=w", Do: doRobocopy},
	{Names: "certutil", Style: LongDash | CaseFold, Opts: "-urlcache -split -f -decode -encode -decodehex -verifyctl -ping -hashfile -addstore -delstore", Do: doCertutil},
	{Names: "bitsadmin", Style: Windows | CaseFold, Do: doBitsadmin},
	{Names: "mshta", Style: CaseFold, Do: doMshta},
	{Names: "regsvr32 rundll32 installutil msbuild regasm regsvcs odbcconf cmstp control presentationhost", Style: NoOptions | CaseFold, Do: doProxyExec},
	{Names: "msiexec", Style: Windows | CaseFold, Opts: "/i,/package=_ /x=_ /q /qn", Do: doMsiexec},
	{Names: "wscript cscript", Style: Windows | CaseFold, Do: doWscript},
	{Names: "wmic", Style: NoOptions | CaseFold, Do: doWmic},
	{Names: "forfiles", Style: Windows | CaseFold, Opts: "/p=_ /m=_ /c=_ /d=_ /s", Do: doForfiles},
	{Names: "psexec psexec64 paexec", Style: NoOptions | CaseFold, Do: doPsexec},
	{Names: "runas", Style: Windows | CaseFold, Opts: "/user=_ /savecred /env /netonly /profile /noprofile", Do: doRunas},
	{Names: "cmdkey vaultcmd", Style: Windows | CaseFold, Do: doCmdkey},
	{Names: "setx", Style: Windows | CaseFold, Opts: "/m", Do: doSetx},
	{Names: "esentutl ntdsutil", Style: NoOptions | CaseFold, Do: doHiveDump},
	{Names: "conhost forfiles.exe pcalua bash.exe scriptrunner", Style: NoOptions | CaseFold, Do: doDoAsProxy},
	{Names: "logoff", Style: Windows | CaseFold},
}

// doPowershell reads the command line of PowerShell itself, whose options may be cut
// short to any length that is still clear, and begin with a slash, too.
func doPowershell(c *Call) {
	ws := c.Operands
	for i := 0; i < len(ws); i++ {
		t := strings.ToLower(ws[i].Text)
		if len(t) < 2 || t[0] != '-' && t[0] != '/' || strings.HasPrefix(t, "/") && strings.Contains(t[1:], "/") {
			// Windows PowerShell takes a command here, PowerShell 7 a file.
			if strings.HasSuffix(t, ".ps1") {
				c.RunFile("powershell", ws[i], Run{Out: true, Args: ws[i+1:]})
				return
			}
			c.Code("powershell", unquoteArgv(joined(ws[i:])), Run{Out: true})
			return
		}
		o := strings.TrimLeft(t, "-/")
		next := func() (Word, bool) {
			if i+1 < len(ws) {
				return ws[i+1], true
			}
			return Word{}, false
		}
		switch {
		case o == "?" || o == "h" || o == "help" || o == "version" || o == "v":
			return
		case strings.HasPrefix("command", o) || o == "commandwithargs" || o == "cwa":
			if w, ok := next(); ok && w.Text != "-" {
				c.Code("powershell", unquoteArgv(joined(ws[i+1:])), Run{Out: true})
				return
			}
			c.powershellStdin()
			return
		case strings.HasPrefix("encodedcommand", o) && !strings.HasPrefix("encodeda", o) || o == "ec" || o == "e":
			w, _ := next()
			s := Stream{Taint: w.Taint, Pipe: true}
			if text, ok := decodeUTF16(w.Text); ok {
				s.Text, s.Seen = text, true
			}
			// What it says is known; that it is said in base64 is a reason to look.
			c.Op(umpire.Exec, "powershell -EncodedCommand", umpire.Obfuscated|umpire.UnseenCode)
			c.Script("powershell", s, Run{Via: c.Program, Out: true, Traits: c.Traits})
			return
		case strings.HasPrefix("file", o):
			if w, ok := next(); ok && w.Text != "-" {
				c.RunFile("powershell", w, Run{Out: true, Args: ws[min(i+2, len(ws)):]})
				return
			}
			c.powershellStdin()
			return
		case strings.HasPrefix("executionpolicy", o) || o == "ep" || o == "exec", strings.HasPrefix("windowstyle", o), strings.HasPrefix("inputformat", o), strings.HasPrefix("outputformat", o), strings.HasPrefix("configurationname", o), strings.HasPrefix("psconsolefile", o), strings.HasPrefix("workingdirectory", o) || o == "wd", strings.HasPrefix("custompipename", o), strings.HasPrefix("settingsfile", o), strings.HasPrefix("encodedarguments", o):
			i++
		}
	}
	c.powershellStdin()
}

// unquoteArgv undoes what the start of a program does on Windows: \" is a quote.
func unquoteArgv(w Word) Word {
	w.Text = strings.ReplaceAll(w.Text, `\"`, `"`)
	return w
}

// drivePath restores a path whose backslashes a Unix shell has eaten, C:Windows, as far
// as its beginning tells.
func drivePath(w Word) Word {
	t := w.Text
	if len(t) < 3 || t[1] != ':' || t[2] == '\\' || t[2] == '/' || t[0]|0x20 < 'a' || t[0]|0x20 > 'z' {
		return w
	}
	rest := t[2:]
	for _, top := range []string{"Windows", "Program Files", "Users", "ProgramData"} {
		if len(rest) >= len(top) && strings.EqualFold(rest[:len(top)], top) {
			rest = top + `\` + rest[len(top):]
			break
		}
	}
	return w.With(t[:2] + `\` + strings.TrimSuffix(rest, `\`))
}

func (c *Call) powershellStdin() {
	if c.Stdin.Pipe || c.Stdin.Seen {
		c.Script("powershell", c.Stdin, Run{Via: c.Program, Out: true, Traits: c.Traits})
	}
}

// doCmd reads cmd /c and /k: all that follows is the command, as one text.
func doCmd(c *Call) {
	for i, w := range c.Operands {
		t := strings.ToLower(strings.TrimPrefix(w.Text, "/"))
		if !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, "-") {
			continue
		}
		t = strings.TrimPrefix(t, "/") // //c, as Git's bash wants it
		if rest, ok := strings.CutPrefix(t, "c"); ok || strings.HasPrefix(t, "k") || strings.HasPrefix(t, "r") {
			text := joined(c.Operands[i+1:])
			if ok && rest != "" {
				text.Text = strings.TrimLeft(w.Text, "/-")[1:] + " " + text.Text
			}
			c.Code("cmd", text, Run{Out: true})
			return
		}
		if t == "?" {
			return
		}
	}
	if c.Stdin.Pipe || c.Stdin.Seen {
		c.Script("cmd", c.Stdin, Run{Via: c.Program, Traits: c.Traits})
	}
}

// pathsOf are the paths a cmdlet is given: by -Path, as operands, or through the pipe.
func pathsOf(c *Call) []Word {
	ws := append(c.All("-Path"), c.Operands...)
	if len(ws) == 0 && c.Stdin.Seen {
		for line := range strings.SplitSeq(strings.TrimSpace(c.Stdin.Text), "\n") {
			if line = strings.TrimSpace(line); line != "" {
				ws = append(ws, Word{Text: line, Taint: c.Stdin.Taint, Glob: strings.ContainsAny(line, "*?")})
			}
		}
	} else if len(ws) == 0 && c.Stdin.Pipe {
		ws = []Word{{Text: umpire.Hole, Taint: c.Stdin.Taint}}
	}
	return ws
}

// registry tells whether a path is in a drive that is no file system.
func registry(p string) bool {
	l := strings.ToLower(strings.TrimPrefix(p, "Registry::"))
	for _, d := range []string{"hklm:", "hkcu:", "hkcr:", "hku:", "hkey_", "hklm\\", "hkcu\\", "hkcr\\", "hku\\", "registry::"} {
		if strings.HasPrefix(l, d) {
			return true
		}
	}
	return false
}

func virtualDrive(p string) bool {
	l := strings.ToLower(p)
	for _, d := range []string{"env:", "alias:", "function:", "variable:", "psdrive:", "wsman:"} {
		if strings.HasPrefix(l, d) {
			return true
		}
	}
	return false
}

func (c *Call) registryOp(verb string, key Word) {
	t := umpire.Mutate
	// Compared without backslashes: an unquoted one does not survive a Unix shell.
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

func doRemoveItem(c *Call) {
	t := umpire.Trait(0)
	if _, ok := c.Opt("-Filter"); ok || len(c.All("-Include")) > 0 {
		t |= umpire.Filtered
	}
	for _, w := range pathsOf(c) {
		switch {
		case registry(w.Text):
			c.registryOp("delete", w)
		case virtualDrive(w.Text) || strings.HasPrefix(strings.ToLower(w.Text), "cert:"):
		default:
			c.Delete(w, t)
		}
	}
}

func doDel(c *Call) {
	for _, w := range c.Operands {
		if c.Program == "deltree" {
			c.Traits |= umpire.Recursive
		}
		c.Delete(drivePath(w), 0)
	}
}

func doClearContent(c *Call) {
	for _, w := range pathsOf(c) {
		if registry(w.Text) {
			c.registryOp("delete", w)
			continue
		}
		c.WriteFile(w, umpire.Truncate, Text(""))
	}
}

func doSetContent(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	if len(ws) == 0 {
		return
	}
	s := c.Stdin
	if v, ok := c.Opt("-Value"); ok {
		s = Stream{Text: v.Text, Seen: true, Taint: v.Taint, Pipe: true}
	} else if len(ws) > 1 {
		s = Stream{Text: ws[1].Text, Seen: true, Taint: ws[1].Taint, Pipe: true}
	}
	t := umpire.Truncate
	if c.Program == "add-content" || c.Has("-Append") {
		t = umpire.Append
	}
	c.WriteFile(ws[0], t, s)
}

func doGetContent(c *Call) {
	ws := pathsOf(c)
	if c.Program == "select-string" {
		ws = c.All("-Path")
		if len(c.Operands) > 1 {
			ws = append(ws, c.Operands[1:]...)
		}
	}
	out := Stream{}
	for _, w := range ws {
		if virtualDrive(w.Text) {
			c.Taints(FromEnv)
			continue
		}
		c.ReadFile(w)
		out = c.File(w)
	}
	if len(ws) == 1 && out.Seen && c.Program == "get-content" {
		c.SetOut(out)
	}
}

func doGetChildItem(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	if len(ws) == 0 {
		ws = []Word{Lit(".")}
	}
	var b strings.Builder
	for _, w := range ws {
		if strings.HasPrefix(strings.ToLower(w.Text), "env:") {
			c.SetOut(Unseen(FromEnv))
			return
		}
		b.WriteString(w.Text)
		if c.Program == "get-childitem" && !w.Glob {
			b.WriteString("/")
			if f, ok := c.Opt("-Filter"); ok {
				b.WriteString(f.Text)
			} else if f, ok := c.Opt("-Include"); ok {
				b.WriteString(f.Text)
			} else {
				b.WriteString("*")
			}
		}
		b.WriteString("\n")
	}
	c.SetOut(Text(b.String()))
}

func doCopyItem(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	to, ok := c.Opt("-Destination")
	if !ok && len(ws) > 1 {
		to, ws, ok = ws[len(ws)-1], ws[:len(ws)-1], true
	}
	for _, w := range ws {
		if registry(w.Text) {
			return
		}
		c.ReadFile(w)
		if ok {
			s := c.File(w)
			s.Taint |= c.Out.Taint
			c.WriteFile(to, umpire.Overwrite, s)
		}
	}
}

func doMoveItem(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	to, ok := c.Opt("-Destination")
	if !ok && len(ws) > 1 {
		to, ws, ok = ws[len(ws)-1], ws[:len(ws)-1], true
	}
	for _, w := range ws {
		s := c.File(w)
		c.Delete(w, 0)
		if ok && c.Program == "move-item" {
			c.WriteFile(to, umpire.Overwrite, s)
		}
	}
}

func doNewItem(c *Call) {
	typ, _ := c.Opt("-ItemType")
	name, _ := c.Opt("-Name")
	v, _ := c.Opt("-Value")
	for _, w := range append(c.All("-Path"), c.Operands...) {
		if name.Text != "" {
			w = inDir(w, name)
		}
		switch {
		case registry(w.Text):
			c.registryOp("add", w)
		case strings.EqualFold(typ.Text, "Directory") || typ.Text == "" && !c.Has("-Value", "-Force"):
		default:
			c.WriteFile(w, umpire.Truncate, Stream{Text: v.Text, Seen: true, Taint: v.Taint, Pipe: true})
		}
	}
}

func doItemProperty(c *Call) {
	ws := append(c.All("-Path"), c.Operands...)
	if len(ws) == 0 {
		return
	}
	if !registry(ws[0].Text) {
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

func doWebRequest(c *Call) {
	ws := append(c.All("-Uri"), c.Operands...)
	var p payload
	if b, ok := c.Opt("-Body"); ok {
		p.literal(b)
	} else if c.Stdin.Pipe && c.Stdin.Taint != 0 {
		p.stream(c.Stdin)
	}
	if f, ok := c.Opt("-InFile"); ok {
		p.from(c, f)
	}
	if f, ok := c.Opt("-Form"); ok {
		p.literal(f)
	}
	if h, ok := c.Opt("-Headers"); ok {
		p.taint |= h.Taint & (FromSecret | FromEnv)
	}
	method := "GET"
	if m, ok := c.Opt("-Method"); ok {
		method = strings.ToUpper(m.Text)
	}
	out, toFile := c.Opt("-OutFile")
	for _, u := range ws[:min(len(ws), 1)] {
		c.request(request{method: method, url: u, body: p.text.String(), sent: p.taint, traits: p.traits() | downloads(toFile)})
	}
	if toFile {
		c.WriteFile(out, umpire.Truncate|umpire.Download, Unseen(FromNetwork))
		c.SetOut(Text(""))
		return
	}
	c.SetOut(Unseen(FromNetwork))
}

func doBits(c *Call) {
	src, ok := c.Opt("-Source")
	ws := c.Operands
	if !ok && len(ws) > 0 {
		src, ws = ws[0], ws[1:]
	}
	dst, ok := c.Opt("-Destination")
	if !ok && len(ws) > 0 {
		dst = ws[0]
	}
	if strings.Contains(src.Text, "://") {
		c.request(request{method: "GET", url: src, traits: umpire.Download})
		if dst.Text == "" {
			dst = urlBase(src)
		}
		c.WriteFile(dst, umpire.Truncate|umpire.Download, Unseen(FromNetwork))
		return
	}
	c.request(request{method: "PUT", url: dst, sent: c.ReadFileTaint(src), traits: umpire.Upload})
}

func doInvokeItem(c *Call) {
	for _, w := range pathsOf(c) {
		c.Exec([]Word{w}, Run{})
	}
}

func doSendMail(c *Call) {
	to, _ := c.Opt("-To")
	var t Taint
	for _, o := range []string{"-Body", "-Subject"} {
		for _, w := range c.All(o) {
			t |= w.Taint
		}
	}
	for _, w := range c.All("-Attachments") {
		t |= c.ReadFileTaint(w)
	}
	c.Net(to, umpire.Message, t)
}

func doGetClipboard(c *Call) { c.SetOut(Unseen(FromUnseen)) }

func doStoreRead(c *Call) { secretRead(c, c.Program, Word{}) }

func doStopComputer(c *Call) {
	if !c.Inert() {
		c.Op(umpire.System, "power off "+c.Program, 0)
	}
}

func doWinService(c *Call) {
	names := append(c.All("-Name"), c.Operands...)
	verb := "stop"
	switch c.Program {
	case "restart-service":
		verb = "restart"
	case "set-service":
		if st, ok := c.Opt("-StartupType"); !ok || !strings.EqualFold(st.Text, "Disabled") {
			return
		}
	}
	for _, n := range names {
		c.Op(umpire.System, Quote("service "+verb, []Word{n}), 0)
	}
}

func doStopProcess(c *Call) {
	for _, n := range c.All("-Name") {
		t := umpire.Trait(0)
		if n.Glob || n.Text == "*" {
			t = umpire.Bulk
		}
		c.Op(umpire.System, Quote("process kill-name", []Word{n}), t)
	}
	if len(c.All("-Name")) == 0 && len(c.All("-Id")) == 0 && len(c.Operands) == 0 && c.Stdin.Pipe {
		c.Op(umpire.System, "process kill-name "+umpire.Hole, umpire.Bulk)
	}
}

func doDisk(c *Call) {
	if c.Inert() {
		return
	}
	c.Op(umpire.System, Quote("disk format "+c.Program, c.Operands), umpire.Format|umpire.Irreversible)
}

func doClearLog(c *Call) {
	if c.Inert() {
		return
	}
	c.Op(umpire.System, Quote("log clear", c.Operands), umpire.AuditTamper)
}

func doExecutionPolicy(c *Call) {
	p, ok := c.Opt("-ExecutionPolicy")
	if !ok {
		p = c.Arg(0)
	}
	scope, _ := c.Opt("-Scope")
	switch strings.ToLower(p.Text) {
	case "bypass", "unrestricted":
		if !strings.EqualFold(scope.Text, "process") {
			c.Op(umpire.System, "guard off execution-policy", umpire.Loosened)
			return
		}
	}
	c.Op(umpire.System, "setting execution-policy "+p.Text, 0)
}

// doProtection reads what switches Windows' protections: Defender, firewall, BitLocker.
func doProtection(c *Call) {
	if c.Inert() {
		return
	}
	line := strings.ToLower(joined(c.Args).Text)
	p := c.Program
	switch {
	case strings.Contains(p, "mppreference"):
		if strings.Contains(line, "disable") || strings.Contains(line, "exclusion") || strings.Contains(line, "submitsamples") || strings.Contains(line, "mapsreporting") {
			c.Op(umpire.System, Quote("guard off defender", c.Args), umpire.Loosened)
		}
	case p == "set-netfirewallprofile":
		if strings.Contains(line, "false") || strings.Contains(line, "allow") {
			c.Op(umpire.System, "firewall flush windows", umpire.Loosened)
		}
	case strings.Contains(p, "netfirewallrule"):
		if (p == "disable-netfirewallrule" || p == "remove-netfirewallrule") && (strings.Contains(line, "-all") || len(c.Args) == 0) {
			c.Op(umpire.System, "firewall flush windows", umpire.Loosened)
			return
		}
		c.Op(umpire.System, Quote("firewall change", c.Args), 0)
	case strings.HasPrefix(p, "uninstall-windows") || strings.HasPrefix(p, "disable-windows"):
		if strings.Contains(line, "defender") {
			c.Op(umpire.System, "guard off defender", umpire.Loosened)
			return
		}
		c.Op(umpire.System, Quote("setting feature", c.Args), 0)
	case strings.Contains(p, "bitlocker"), p == "disable-computerrestore":
		c.Op(umpire.System, Quote("guard off "+p, c.Args), umpire.Loosened)
	}
}

func doSchedule(c *Call) {
	if c.Inert() {
		return
	}
	switch {
	case strings.HasPrefix(c.Program, "unregister-"), strings.HasPrefix(c.Program, "disable-"):
		c.Op(umpire.System, Quote("job remove", c.Args), 0)
	case c.Program == "enable-psremoting":
		c.Op(umpire.System, "service enable psremoting", umpire.Persistence)
	case c.Program == "new-scheduledtask" || c.Program == "register-objectevent":
	default:
		c.Op(umpire.System, Quote("job install", c.Args), umpire.Persistence)
	}
}

func doAccounts(c *Call) {
	if c.Inert() {
		return
	}
	c.Op(umpire.System, Quote("user "+c.Program, c.Operands), umpire.Persistence)
}

func doSetACL(c *Call) {
	for _, w := range pathsOf(c)[:min(1, len(pathsOf(c)))] {
		c.WriteFile(w, umpire.Permissions, Stream{})
	}
}

func doNetAdapter(c *Call) {
	if c.Program == "set-dnsclientserveraddress" {
		c.Op(umpire.System, Quote("network change dns", c.Operands), 0)
		return
	}
	c.Op(umpire.System, Quote("network down", append(c.All("-Name"), c.Operands...)), 0)
}

func doWmiMethod(c *Call) {
	m, _ := c.Opt("-Name")
	if strings.EqualFold(m.Text, "create") {
		if a, ok := c.Opt("-ArgumentList"); ok {
			c.Code("cmd", a, Run{})
		}
	}
	line := strings.ToLower(joined(c.Args).Text)
	if strings.Contains(line, "win32shutdown") || strings.Contains(line, "win32_operatingsystem") && strings.Contains(line, "reboot") {
		c.Op(umpire.System, "power off wmi", 0)
	}
}

func doWmi(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	if strings.Contains(line, "shadowcopy") {
		if strings.HasPrefix(c.Program, "remove-") {
			c.Op(umpire.System, "backup delete shadow-copies", umpire.DataStore|umpire.Irreversible|umpire.Destroy)
			return
		}
		c.SetOut(Stream{Text: "shadowcopy", Seen: false, Pipe: true})
	}
	if strings.HasPrefix(c.Program, "remove-") && c.Stdin.Pipe {
		c.Op(umpire.System, "backup delete "+umpire.Hole, umpire.Destroy)
	}
}

func doHyperV(c *Call) {
	if c.Inert() {
		return
	}
	t := umpire.Destroy
	if c.Program == "remove-vhd" || c.Program == "remove-vmsnapshot" || c.Program == "remove-vm" {
		t |= umpire.DataStore | umpire.Irreversible
	}
	if c.Program == "stop-vm" || c.Program == "dismount-vhd" {
		t = umpire.Mutate
	}
	c.Op(umpire.Infra, Quote("hyperv "+c.Program, c.Operands), t)
}

func doRecycleBin(c *Call) {
	if !c.Inert() {
		c.Delete(Lit("~/.local/share/Trash/files"), umpire.Recursive)
	}
}

func doShadow(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	switch {
	case strings.Contains(line, "delete"), strings.Contains(line, "resize") && strings.Contains(line, "maxsize"):
		c.Op(umpire.System, Quote("backup delete", c.Args), umpire.DataStore|umpire.Irreversible|umpire.Destroy)
	case strings.Contains(line, "start recovery"), strings.Contains(line, "disable backup"), strings.Contains(line, "stop job"):
		c.Op(umpire.System, Quote("setting backup", c.Args), 0)
	}
}

func doBootConfig(c *Call) {
	if len(c.Args) == 0 {
		return
	}
	switch strings.ToLower(c.Args[0].Text) {
	case "/enum", "/?", "/v", "/info", "/export", "-enum":
		return
	}
	c.Op(umpire.System, Quote("boot change", c.Args), umpire.Loosened)
}

func doAuditpol(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	if strings.Contains(line, "/clear") || strings.Contains(line, "/remove") || strings.Contains(line, "disable") {
		c.Op(umpire.System, Quote("log clear", c.Args), umpire.AuditTamper)
	}
}

func doFsutil(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	switch {
	case strings.Contains(line, "deletejournal"):
		c.Op(umpire.System, Quote("log clear", c.Args), umpire.AuditTamper)
	case strings.Contains(line, "setzerodata"), strings.Contains(line, "seteof"):
		c.WriteFile(c.Args[len(c.Args)-1], umpire.Truncate, Stream{})
	}
}

func doCipher(c *Call) {
	if w, ok := c.Opt("/w"); ok {
		c.Op(umpire.System, Quote("disk wipe-free", []Word{w}), umpire.Irreversible|umpire.Format)
	}
}

func doDiskpart(c *Call) {
	s := c.Stdin
	if f, ok := c.Opt("/s"); ok {
		c.ReadFile(f)
		s = c.File(f)
	}
	t := umpire.Irreversible
	if l := strings.ToLower(s.Text); !s.Seen || strings.Contains(l, "clean") || strings.Contains(l, "format") || strings.Contains(l, "delete") || strings.Contains(l, "convert") {
		t |= umpire.Format
	} else {
		return
	}
	c.Op(umpire.System, "disk partition diskpart", t)
}

func doSchtasks(c *Call) {
	n, _ := c.Opt("/tn")
	switch {
	case c.Has("/create", "/change"):
		c.Op(umpire.System, Quote("job install", []Word{n}), umpire.Persistence)
	case c.Has("/delete"):
		if n.Text == "*" {
			c.Op(umpire.System, "job remove-all schtasks", umpire.Bulk)
			return
		}
		c.Op(umpire.System, Quote("job remove", []Word{n}), 0)
	}
}

func doSc(c *Call) {
	ws := c.Operands
	if len(ws) > 0 && strings.HasPrefix(ws[0].Text, `\\`) {
		ws = ws[1:]
	}
	if len(ws) < 2 {
		return
	}
	name := ws[1:2]
	line := strings.ToLower(joined(ws).Text)
	switch strings.ToLower(ws[0].Text) {
	case "stop", "pause", "delete":
		c.Op(umpire.System, Quote("service stop", name), 0)
	case "create":
		c.Op(umpire.System, Quote("service edit", name), umpire.Persistence)
	case "config", "failure":
		if strings.Contains(line, "disabled") {
			c.Op(umpire.System, Quote("service stop", name), 0)
		} else if strings.Contains(line, "binpath") || strings.Contains(line, "command=") {
			c.Op(umpire.System, Quote("service edit", name), umpire.Persistence)
		}
	}
}

func doNet(c *Call) {
	ws := c.Operands
	if len(ws) == 0 {
		return
	}
	line := strings.ToLower(joined(c.Args).Text)
	switch strings.ToLower(ws[0].Text) {
	case "user", "localgroup", "group", "accounts":
		if strings.Contains(line, "/add") || strings.Contains(line, "/delete") || strings.Contains(line, "/active") || len(ws) > 2 {
			c.Op(umpire.System, Quote("user "+strings.ToLower(ws[0].Text), ws[1:]), umpire.Persistence)
		}
	case "stop", "pause":
		c.Op(umpire.System, Quote("service stop", ws[1:]), 0)
	case "start", "continue":
		c.Op(umpire.System, Quote("service start", ws[1:]), 0)
	case "share":
		if strings.Contains(line, "=") {
			c.Op(umpire.Network, "smb share", umpire.Listen|umpire.HostAccess)
		}
	case "use":
		for _, w := range ws[1:] {
			if strings.HasPrefix(w.Text, `\\`) {
				h, _, _ := strings.Cut(strings.TrimLeft(w.Text, `\`), `\`)
				c.Net(w.With(h+":445"), 0, 0)
			}
		}
	}
}

func doNetsh(c *Call) {
	line := strings.ToLower(joined(c.Operands).Text)
	switch {
	case strings.Contains(line, "firewall") && (strings.Contains(line, "state off") || strings.Contains(line, "opmode disable") || strings.Contains(line, "opmode mode=disable") || strings.Contains(line, " reset") || strings.Contains(line, "delete rule name=all") || strings.Contains(line, "allowinbound")):
		c.Op(umpire.System, Quote("firewall flush", c.Operands), umpire.Loosened)
	case strings.Contains(line, "firewall") && (strings.Contains(line, " add ") || strings.Contains(line, " set ") || strings.Contains(line, " delete ")):
		c.Op(umpire.System, Quote("firewall change", c.Operands), 0)
	case strings.Contains(line, "portproxy add"):
		c.Op(umpire.Network, "portproxy", umpire.Tunnel|umpire.HostAccess)
	case strings.Contains(line, "key=clear"):
		secretRead(c, "wlan", joined(c.Operands))
	case strings.Contains(line, "admin=disable") || strings.Contains(line, "disabled"):
		c.Op(umpire.System, Quote("network down", c.Operands), 0)
	case strings.Contains(line, "winsock reset") || strings.Contains(line, "ip reset") || strings.Contains(line, "set dns") || strings.Contains(line, "set address") || strings.Contains(line, "winhttp set proxy"):
		c.Op(umpire.System, Quote("network change", c.Operands), 0)
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
		if strings.HasPrefix(l, "hk") && (strings.HasSuffix(l, "sam") || strings.HasSuffix(l, "security") || strings.HasSuffix(l, `system`)) {
			c.Op(umpire.System, Quote("secret dump registry", c.Operands[1:2]), umpire.CarriesSecret)
		}
	}
}

func doRegedit(c *Call) {
	if c.Has("/s") || len(c.Operands) > 0 {
		c.registryOp("set", Lit("file"))
	}
}

func doTakeown(c *Call) {
	if f, ok := c.Opt("/f"); ok {
		c.WriteFile(drivePath(f), umpire.Ownership, Stream{})
	}
}

func doIcacls(c *Call) {
	t := umpire.Permissions
	line := strings.ToLower(joined(c.Args).Text)
	if !strings.Contains(line, "/grant") && !strings.Contains(line, "/deny") && !strings.Contains(line, "/reset") && !strings.Contains(line, "/setowner") && !strings.Contains(line, "/inheritance") && !strings.Contains(line, "/remove") && !strings.Contains(line, "/g ") && !strings.Contains(line, "/p ") {
		return
	}
	if strings.Contains(line, "everyone") || strings.Contains(line, "*s-1-1-0") || strings.Contains(line, "users:") && strings.Contains(line, "f") {
		t |= umpire.Loosened | umpire.WorldWritable
	}
	if len(c.Operands) > 0 {
		c.WriteFile(drivePath(c.Operands[0]), t, Stream{})
	}
}

func doRobocopy(c *Call) {
	if len(c.Operands) < 2 {
		return
	}
	c.ReadFile(c.Operands[0])
	c.WriteFile(c.Operands[1], umpire.Recursive|umpire.Overwrite, Unseen(c.Out.Taint))
	if c.Has("/mir", "/purge") {
		c.Delete(c.Operands[1], umpire.Recursive|umpire.Force)
	}
	if c.Has("/move", "/mov") {
		c.Delete(c.Operands[0], umpire.Recursive)
	}
}

func doCertutil(c *Call) {
	ws := c.Operands
	switch {
	case c.Has("-urlcache", "-verifyctl") || len(ws) > 0 && strings.Contains(ws[0].Text, "://"):
		for i, w := range ws {
			if strings.Contains(w.Text, "://") {
				c.request(request{method: "GET", url: w, traits: umpire.Download})
				if i+1 < len(ws) {
					c.WriteFile(ws[i+1], umpire.Truncate|umpire.Download, Unseen(FromNetwork))
				}
			}
		}
	case c.Has("-decode", "-decodehex"):
		if len(ws) > 1 {
			c.WriteFile(ws[1], umpire.Truncate, Unseen(FromDecoder|c.ReadFileTaint(ws[0])))
		}
	case c.Has("-encode"):
		if len(ws) > 1 {
			c.WriteFile(ws[1], umpire.Truncate, Unseen(c.ReadFileTaint(ws[0])))
		}
	case c.Has("-addstore"):
		c.Op(umpire.System, Quote("trust add", ws), umpire.Persistence|umpire.SkipsCheck)
	}
}

func doBitsadmin(c *Call) {
	for i, w := range c.Args {
		if strings.Contains(w.Text, "://") {
			c.request(request{method: "GET", url: w, traits: umpire.Download})
			if i+1 < len(c.Args) {
				c.WriteFile(c.Args[i+1], umpire.Truncate|umpire.Download, Unseen(FromNetwork))
			}
		}
	}
	if line := strings.ToLower(joined(c.Args).Text); strings.Contains(line, "/setnotifycmdline") {
		c.Op(umpire.System, "job install bitsadmin", umpire.Persistence)
	}
}

// doMshta runs a page or a script URL with the user's rights.
func doMshta(c *Call) {
	for _, w := range c.Args {
		l := strings.ToLower(w.Text)
		switch {
		case strings.Contains(l, "://") && !strings.HasPrefix(l, "javascript:") && !strings.HasPrefix(l, "vbscript:"):
			c.Net(w, 0, 0)
			c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.RemoteCode)
		case strings.HasPrefix(l, "javascript:") || strings.HasPrefix(l, "vbscript:"):
			c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.UnseenCode|umpire.Obfuscated)
			if strings.Contains(l, "http") {
				c.Op(umpire.Exec, Quote("mshta", []Word{w}), umpire.RemoteCode)
			}
		}
	}
}

// doProxyExec reads signed programs of Windows that run others' code.
func doProxyExec(c *Call) {
	line := joined(c.Operands)
	l := strings.ToLower(line.Text)
	switch {
	case strings.Contains(l, "http://") || strings.Contains(l, "https://") || strings.Contains(l, `\\`) && strings.Contains(l, "."):
		c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.RemoteCode)
	case strings.Contains(l, "javascript:") || strings.Contains(l, "vbscript:"):
		c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.DecodedCode|umpire.Obfuscated)
	case strings.Contains(l, "comsvcs") && (strings.Contains(l, "minidump") || strings.Contains(l, "#24")):
		c.Op(umpire.System, "secret dump lsass", umpire.CarriesSecret)
	case strings.Contains(l, "shell32.dll,control_rundll") || c.Program == "msbuild":
	}
	for _, w := range c.Operands {
		if s := c.File(w); s.Taint&(FromNetwork|FromDecoder) != 0 {
			c.Script("dll", Stream{Taint: s.Taint, Pipe: true}, Run{Via: c.Program})
		}
	}
}

func doMsiexec(c *Call) {
	w, ok := c.Opt("/i")
	if !ok {
		return
	}
	if strings.Contains(w.Text, "://") {
		c.Net(w, 0, 0)
		c.Op(umpire.Exec, Quote("msiexec", c.Args), umpire.RemoteCode)
	}
	if s := c.File(w); s.Taint&FromNetwork != 0 {
		c.Op(umpire.Exec, Quote("msiexec", c.Args), umpire.RemoteCode)
	}
}

func doWscript(c *Call) {
	for _, w := range c.Operands[:min(1, len(c.Operands))] {
		if strings.Contains(w.Text, "://") {
			c.Op(umpire.Exec, Quote(c.Program, c.Operands), umpire.RemoteCode)
			return
		}
		c.RunFile("js", w, Run{})
	}
}

func doWmic(c *Call) {
	line := strings.ToLower(joined(c.Operands).Text)
	switch {
	case strings.Contains(line, "shadowcopy") && strings.Contains(line, "delete"):
		c.Op(umpire.System, "backup delete shadow-copies", umpire.DataStore|umpire.Irreversible|umpire.Destroy)
	case strings.Contains(line, "process") && strings.Contains(line, "call create"):
		for i, w := range c.Operands {
			if strings.EqualFold(w.Text, "create") {
				c.Code("cmd", joined(c.Operands[i+1:]), Run{})
				break
			}
		}
	case strings.Contains(line, "process") && (strings.Contains(line, "delete") || strings.Contains(line, "terminate")):
		c.Op(umpire.System, Quote("process kill-name", c.Operands), 0)
	case strings.Contains(line, "win32shutdown") || strings.Contains(line, "call reboot") || strings.Contains(line, "call shutdown"):
		c.Op(umpire.System, "power off wmic", 0)
	case strings.Contains(line, "cleareventlog"):
		c.Op(umpire.System, "log clear wmic", umpire.AuditTamper)
	case strings.Contains(line, "/format:") && strings.Contains(line, "http"):
		c.Op(umpire.Exec, Quote("wmic", c.Operands), umpire.RemoteCode)
	}
}

func doForfiles(c *Call) {
	dir, ok := c.Opt("/p")
	if !ok {
		dir = Lit(".")
	}
	if cmd, ok := c.Opt("/c"); ok {
		text := strings.NewReplacer("@path", dir.Text+`\*`, "@file", "*", "@PATH", dir.Text+`\*`, "@FILE", "*").Replace(cmd.Text)
		c.Code("cmd", cmd.With(text), Run{Dir: &dir})
	}
}

func doPsexec(c *Call) {
	t := umpire.Privilege
	for i := 0; i < len(c.Operands); i++ {
		w := c.Operands[i]
		switch {
		case strings.HasPrefix(w.Text, `\\`):
			t |= umpire.Remote
			c.Net(w.With(strings.TrimLeft(w.Text, `\`)+":445"), 0, 0)
		case w.Text == "-u" || w.Text == "-p" || w.Text == "-w" || w.Text == "-n":
			i++
		case strings.HasPrefix(w.Text, "-"):
		default:
			c.Exec(c.Operands[i:], Run{Traits: t})
			return
		}
	}
}

func doRunas(c *Call) {
	for _, w := range c.Operands {
		c.Code("cmd", w, Run{Traits: umpire.Privilege})
	}
}

func doCmdkey(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	switch {
	case strings.Contains(line, "/delete"):
		secretDelete(c, c.Program, joined(c.Args))
	case c.Program == "vaultcmd" && strings.Contains(line, "/listcreds"):
		secretRead(c, c.Program, Word{})
	}
}

func doSetx(c *Call) {
	if len(c.Operands) > 0 {
		c.Op(umpire.System, Quote("setting environment", c.Operands), umpire.Persistence)
	}
}

func doHiveDump(c *Call) {
	line := strings.ToLower(joined(c.Operands).Text)
	if strings.Contains(line, "ntds") || strings.Contains(line, `config\sam`) || strings.Contains(line, "ifm") {
		c.Op(umpire.System, "secret dump "+c.Program, umpire.CarriesSecret)
	}
}

func doDoAsProxy(c *Call) {
	ws := c.Operands
	for len(ws) > 0 && (strings.HasPrefix(ws[0].Text, "-") || strings.HasPrefix(ws[0].Text, "/")) {
		ws = ws[1:]
	}
	c.Exec(ws, Run{Out: true})
}

// decodeUTF16 decodes what -EncodedCommand takes: base64 of UTF-16.
func decodeUTF16(text string) (string, bool) {
	s, ok := decode64(text)
	if !ok || len(s) > 64<<10 {
		return "", false
	}
	var b strings.Builder
	for i := 0; i+1 < len(s); i += 2 {
		b.WriteRune(rune(s[i]) | rune(s[i+1])<<8)
	}
	return b.String(), true
}
