// Code generated from programs/windows.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var windowsModels = []Model{
	{Names: "diskshadow", Style: Windows | CaseFold, Do: doShadow},
	{Names: "bootrec bcdboot bootcfg reagentc", Style: Windows | CaseFold, Do: doBootConfig},
	{Names: "auditpol", Style: Windows | CaseFold, Do: doAuditpol},
	{Names: "fsutil", Style: Windows | CaseFold, Do: doFsutil},
	{Names: "cipher", Opts: "/w?=_", Style: Windows | CaseFold, Do: doCipher},
	{Names: "diskpart", Opts: "/s=_", Style: Windows | CaseFold, Do: doDiskpart},
	{Names: "schtasks at.exe", Opts: "/create /delete /change /run /tn=_ /tr=c /sc=_ /st=_ /ru=_ /rp=_ /s=_ /u=_ /p=_ /xml=_", Style: Windows | CaseFold, Do: doSchtasks},
	{Names: "sc sc.exe", Style: NoOptions, Do: doSc},
	{Names: "net net1", Style: NoInert | Windows | CaseFold, Do: doNet},
	{Names: "netsh", Style: NoOptions, Do: doNetsh},
	{Names: "reg", Opts: "/v=_ /t=_ /d=_ /f+force /va /ve", Style: Windows | CaseFold, Do: doReg},
	{Names: "regedit", Opts: "/s", Style: Windows | CaseFold, Do: doRegedit},
	{Names: "takeown", Opts: "/f=_ /r+recursive /d=_ /a", Style: Windows | CaseFold, Do: doTakeown},
	{Names: "icacls cacls xcacls", Opts: "/t+recursive /grant=_ /deny=_ /setowner=_ /reset /inheritance=_ /q /c /g=_ /e /p=_ /remove=_", Style: Windows | CaseFold, Do: doIcacls},
	{Names: "attrib logoff", Style: Windows | CaseFold},
	{Names: "robocopy", Opts: "/mir /purge /move /mov /l+inert /xf=_ /xd=_ /log=w", Style: Windows | CaseFold, Do: doRobocopy},
	{Names: "certutil", Opts: "-urlcache -split -f -decode -encode -decodehex -verifyctl -ping -hashfile -addstore -delstore", Style: LongDash | CaseFold, Do: doCertutil},
	{Names: "bitsadmin", Style: Windows | CaseFold, Do: doBitsadmin},
	{Names: "mshta", Style: CaseFold, Do: doMshta},
	{Names: "regsvr32 rundll32 installutil msbuild regasm regsvcs odbcconf cmstp control presentationhost", Style: NoOptions | CaseFold, Do: doProxyExec},
	{Names: "msiexec", Opts: "/i,/package=_ /x=_ /q /qn", Style: Windows | CaseFold, Do: doMsiexec},
	{Names: "wscript cscript", Style: Windows | CaseFold, Do: doWscript},
	{Names: "wmic", Style: NoOptions | CaseFold, Do: doWmic},
	{Names: "forfiles", Opts: "/p=_ /m=_ /c=_ /d=_ /s", Style: Windows | CaseFold, Do: doForfiles},
	{Names: "psexec psexec64 paexec", Style: NoOptions | CaseFold, Do: doPsexec},
	{Names: "runas", Opts: "/user=_ /savecred /env /netonly /profile /noprofile", Style: Windows | CaseFold, Do: doRunas},
	{Names: "cmdkey vaultcmd", Style: Windows | CaseFold, Do: doCmdkey},
	{Names: "setx", Opts: "/m", Style: Windows | CaseFold, Do: doSetx},
	{Names: "esentutl ntdsutil", Style: NoOptions | CaseFold, Do: doHiveDump},
	{Names: "conhost forfiles.exe pcalua bash.exe scriptrunner", Style: NoOptions | CaseFold, Do: doDoAsProxy},
}
