// Code generated from programs/powershell.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var powershellModels = []Model{
	{Names: "powershell pwsh powershell_ise", Style: NoOptions, Do: doPowershell},
	{Names: "cmd", Style: NoOptions, Do: doCmd},
	{Names: "remove-item", Opts: "-Path,-LiteralPath,-PSPath,-LP=_ -Stream=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doRemoveItem},
	{Names: "del", Opts: "/s+recursive /q+force /f+force /p /a", Style: Windows | CaseFold, Do: doDel},
	{Names: "rd", Opts: "/s+recursive /q+force", Style: Windows | CaseFold, Do: doDel},
	{Names: "mklink", Opts: "/d /h /j", Style: Windows | CaseFold, Do: doMklink},
	{Names: "deltree", Opts: "/y+force", Style: Windows | CaseFold, Do: doDel},
	{Names: "clear-content clear-item", Opts: "-Path,-LiteralPath=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doClearContent},
	{Names: "set-content add-content out-file tee-object export-csv export-clixml", Opts: "-Path,-LiteralPath,-FilePath,-PSPath=_ -Value=_ -InputObject=_ -Encoding=_ -Width=_ -Delimiter=_ -Append -Variable=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doSetContent},
	{Names: "get-content select-string import-csv import-clixml format-hex", Opts: "-Path,-LiteralPath,-PSPath=_ -Pattern=_ -TotalCount,-Head,-First=_ -Tail,-Last=_ -Encoding=_ -Delimiter=_ -ReadCount=_ -Raw -Wait -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doGetContent},
	{Names: "get-childitem get-item resolve-path", Opts: "-Path,-LiteralPath=_ -Depth=_ -Attributes=_ -File -Directory -Name -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doGetChildItem},
	{Names: "test-path split-path join-path", Opts: "-Path,-LiteralPath=_ -PathType=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold},
	{Names: "copy-item", Opts: "-Path,-LiteralPath=_ -Destination=_ -ToSession=_ -FromSession=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doCopyItem},
	{Names: "move-item rename-item", Opts: "-Path,-LiteralPath=_ -Destination,-NewName=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doMoveItem},
	{Names: "new-item", Opts: "-Path=_ -Name=_ -ItemType,-Type=_ -Value,-Target=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doNewItem},
	{Names: "set-location push-location", Opts: "-Path,-LiteralPath=D -StackName=_", Args: "D", Style: LongDash | CaseFold},
	{Names: "set-itemproperty new-itemproperty remove-itemproperty set-item", Opts: "-Path,-LiteralPath=_ -Name=_ -Value=_ -PropertyType,-Type=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doItemProperty},
	{Names: "invoke-webrequest invoke-restmethod", Opts: "-Uri=_ -OutFile=_ -Method,-CustomMethod=_ -Body=_ -InFile=_ -Headers=_ -ContentType=_ -Proxy=_ -UserAgent=_ -WebSession,-SessionVariable=_ -TimeoutSec=_ -MaximumRedirection=_ -Certificate=_ -Form=_ -Token=_ -Authentication=_ -UseBasicParsing -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doWebRequest},
	{Names: "start-bitstransfer", Opts: "-Source=_ -Destination=_ -TransferType=_ -DisplayName=_ -Asynchronous -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doBits},
	{Names: "invoke-item", Opts: "-Path,-LiteralPath=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doInvokeItem},
	{Names: "import-module add-type", Opts: "-Name=_ -TypeDefinition=_ -Path=_ -AssemblyName=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold},
	{Names: "send-mailmessage", Opts: "-To=_ -From=_ -Subject=_ -Body=_ -Attachments=_ -SmtpServer=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doSendMail},
	{Names: "get-clipboard", Style: LongDash | CaseFold, Do: doGetClipboard},
	{Names: "convertfrom-securestring get-storedcredential", Style: LongDash | CaseFold, Do: doStoreRead},
}
