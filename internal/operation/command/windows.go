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
	{Names: "mklink", Style: Windows | CaseFold, Opts: "/d /h /j", Do: doMklink},
	{Names: "deltree", Style: Windows | CaseFold, Opts: "/y+force", Do: doDel},
	{Names: "clear-content clear-item", Style: cmdlet, Opts: "-Path,-LiteralPath=_" + common, Do: doClearContent},
	{Names: "set-content add-content out-file tee-object export-csv export-clixml", Style: cmdlet, Opts: "-Path,-LiteralPath,-FilePath,-PSPath=_ -Value=_ -InputObject=_ -Encoding=_ -Width=_ -Delimiter=_ -Append -Variable=_" + common, Do: doSetContent},
	{Names: "get-content select-string import-csv import-clixml format-hex", Style: cmdlet, Opts: "-Path,-LiteralPath,-PSPath=_ -Pattern=_ -TotalCount,-Head,-First=_ -Tail,-Last=_ -Encoding=_ -Delimiter=_ -ReadCount=_ -Raw -Wait" + common, Do: doGetContent},
	{Names: "get-childitem get-item resolve-path", Style: cmdlet, Opts: "-Path,-LiteralPath=_ -Depth=_ -Attributes=_ -File -Directory -Name" + common, Do: doGetChildItem},
	{Names: "test-path split-path join-path", Style: cmdlet, Opts: "-Path,-LiteralPath=_ -PathType=_" + common}, // they name files and do not open them
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
	{Names: "get-process get-service", Style: cmdlet, Opts: "-Name,-ProcessName,-DisplayName=_ -Id=_" + common, Do: doNamed},
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

func doGetClipboard(c *Call) { c.SetOut(Unseen(FromUnseen)) }

func doStoreRead(c *Call) { secretRead(c, c.Program, Word{}) }

func doCmdkey(c *Call) {
	line := strings.ToLower(joined(c.Args).Text)
	switch {
	case strings.Contains(line, "/delete"):
		secretDelete(c, c.Program, joined(c.Args))
	case c.Program == "vaultcmd" && strings.Contains(line, "/listcreds"):
		secretRead(c, c.Program, Word{})
	}
}

func doHiveDump(c *Call) {
	line := strings.ToLower(joined(c.Operands).Text)
	if strings.Contains(line, "ntds") || strings.Contains(line, `config\sam`) || strings.Contains(line, "ifm") {
		c.Op(umpire.System, "secret dump "+c.Program, umpire.CarriesSecret)
	}
}
