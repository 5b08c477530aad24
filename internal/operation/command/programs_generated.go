// Code generated from programs/*.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

import _ "embed"

// readerTable has the functions that descriptions name, in the order of readerNames.
var readerTable = [...]func(*Call){
	doAWS, doAdb, doAfterDash, doAgent, doAgentTool, doAnsible,
	doAnsibleVault, doApplet, doApplyPatch, doArtisan, doAsUser, doAt,
	doAtrm, doAuditpol, doAvrdude, doAwk, doBackup, doBase64,
	doBasename, doBits, doBitsadmin, doBootConfig, doBq, doBrowser,
	doBun, doBwrap, doCapsh, doCapture, doCargo, doCat,
	doCelery, doCertutil, doChattr, doCheckout, doChmod, doChown,
	doChroot, doCipher, doClearContent, doClipboard, doCloud, doCmd,
	doCmdkey, doComposeDown, doComposeFar, doComposeNone, doComposeRun, doComposeUp,
	doComposer, doCompress, doConda, doContainerCopy, doContainerExec, doContainerRemove,
	doContainerRun, doContainerStop, doCopilot, doCopy, doCopyItem, doCpio,
	doCreatedb, doCredentialHelper, doCrontab, doCurl, doCut, doCypher,
	doDD, doDate, doDbt, doDecodeFile, doDecoder, doDecrypter,
	doDel, doDenoFiles, doDenoRun, doDenoTask, doDeploy, doDiff,
	doDirenvAllow, doDirenvExec, doDirname, doDiskpart, doDjango, doDoAsProxy,
	doDoas, doDotenv, doDotnet, doDownloader, doDpkg, doDropdb,
	doDump, doEdited, doEditor, doElectronBuilder, doEmpty, doEncode,
	doEngine, doEngineRemove, doEngineReset, doEntr, doEnv, doEnvPrefix,
	doErase, doEtcd, doExecutionPolicy, doExpect, doExpression, doFallocate,
	doFd, doFdupes, doFetch, doFind, doFirewall, doFish,
	doFlock, doForfiles, doForge, doFormat, doFormatWindows, doFsutil,
	doFtp, doFuser, doGcloud, doGdb, doGem, doGetChildItem,
	doGetClipboard, doGetContent, doGetent, doGhci, doGit, doGitAdd,
	doGitApply, doGitBisect, doGitBranch, doGitCheckout, doGitClean, doGitConfig,
	doGitCredential, doGitFetch, doGitForEach, doGitGC, doGitInit, doGitLFS,
	doGitLsFiles, doGitMail, doGitMaintenance, doGitNotes, doGitPlain, doGitPush,
	doGitReadTree, doGitReflog, doGitRemote, doGitReplace, doGitRequestPull, doGitReset,
	doGitRestore, doGitRevParse, doGitRewrite, doGitRewriteTool, doGitRm, doGitSendPack,
	doGitShow, doGitStash, doGitSubmodule, doGitSubtree, doGitSwitch, doGitTag,
	doGitUpdateRef, doGitWorktree, doGo, doGpg, doGrep, doGsutil,
	doHdfs, doHelm, doHex, doHg, doHgExtdiff, doHgPush,
	doHgRevert, doHgStrip, doHiveDump, doHttpie, doHyperV, doIP,
	doIcacls, doImage, doImageBuild, doImagePush, doImageTool, doImportModule,
	doInflux, doInspect, doInstall, doInstallOnly, doIntrusion, doInvokeItem,
	doItemProperty, doJava, doJj, doJjGit, doJq, doJupyter,
	doKafka, doKeyctl, doKeygen, doKill, doKitty, doKubectl,
	doKubectx, doLXC, doLaunchctl, doLftp, doLink, doListing,
	doLoad, doLookup, doLs, doLvm, doMacInstaller, doMachineShell,
	doMacros, doMail, doMailTool, doMan, doMemcached, doMessage,
	doMigrator, doMix, doMkdir, doMklink, doMktemp, doMmv,
	doMoney, doMongo, doMount, doMove, doMoveItem, doMshta,
	doMsiexec, doMutt, doMysqladmin, doNamed, doNcftp, doNet,
	doNetAdapter, doNetcat, doNetsh, doNetworkConfig, doNetworkOptions, doNewItem,
	doNewgrp, doNode, doNothing, doNpm, doNpx, doNsenter,
	doNvme, doOnePassword, doOpenssl, doOracle, doOsascript, doOtherGuard,
	doOtherManager, doOtherShell, doPSPackage, doParallel, doParted, doPartition,
	doPass, doPaste, doPatch, doPdsh, doPerl, doPgServer,
	doPgrep, doPhp, doPing, doPip, doPipx, doPkill,
	doPlaybook, doPoetry, doPowershell, doPrintenv, doPrisma, doProfiler,
	doProot, doProtection, doProxyExec, doPrune, doPsexec, doPython,
	doPythonTool, doR, doRabbit, doRails, doRealpath, doRecycleBin,
	doRedis, doReg, doRegedit, doRelease, doRemoteRun, doRemove,
	doRemoveItem, doRename, doRepository, doRestore, doRev, doRimraf,
	doRmdir, doRobocopy, doRsh, doRsync, doRunParts, doRunas,
	doRunner, doRunuser, doRvm, doSQLClient, doSQLite, doSSH,
	doSSHAdd, doSSHCopyID, doSSHKeygen, doSalt, doSay, doSc,
	doScan, doScancel, doSchedule, doSchtasks, doScp, doScreen,
	doScript, doScriptFile, doSecurity, doSed, doSendFile, doSendMail,
	doServe, doService, doServiceEnable, doSetACL, doSetContent, doSetarch,
	doSetcap, doSetfacl, doSevenZip, doSftp, doSg, doShadow,
	doShareTerminal, doShell, doShred, doSmb, doSocat, doSops,
	doSortLike, doSplitService, doSpool, doSshd, doStack, doStartStop,
	doStarted, doStdinScript, doStealer, doSteam, doStopProcess, doStoreRead,
	doStoreVerb, doSu, doSudo, doSv, doSvn, doSwift,
	doSysctl, doSystemPackages, doSystemctl, doSystemdRun, doTakeown, doTar,
	doTclsh, doTee, doTelnet, doTemplate, doTerminalWindow, doTerraform,
	doTftp, doTmux, doTr, doTransfer, doTruncate, doTunnel,
	doTyped, doUmpire, doUnshare, doUnzip, doUpload, doUsers,
	doUv, doVagrant, doVault, doVaultClient, doVolume, doWatch,
	doWatchexec, doWebRequest, doWebsocat, doWezterm, doWget, doWhich,
	doWho, doWinService, doWipefs, doWmi, doWmiMethod, doWmic,
	doWscript, doWsl, doXargs, doXattr, doXcrun, doXdgUserDir,
	doXxd, doZellijAction, doZip,
}

const readerNames = `|doAWS|doAdb|doAfterDash|doAgent|doAgentTool|doAnsible|doAnsibleVault|doApplet|doApplyPatch|doArtisan|doAsUser|doAt|doAtrm|doAuditpol|doAvrdude|doAwk|doBackup|doBase64|doBasename|doBits|doBitsadmin|doBootConfig|doBq|doBrowser|doBun|doBwrap|doCapsh|doCapture|doCargo|doCat|doCelery|doCertutil|doChattr|doCheckout|doChmod|doChown|doChroot|doCipher|doClearContent|doClipboard|doCloud|doCmd|doCmdkey|doComposeDown|doComposeFar|doComposeNone|doComposeRun|doComposeUp|doComposer|doCompress|doConda|doContainerCopy|doContainerExec|doContainerRemove|doContainerRun|doContainerStop|doCopilot|doCopy|doCopyItem|doCpio|doCreatedb|doCredentialHelper|doCrontab|doCurl|doCut|doCypher|doDD|doDate|doDbt|doDecodeFile|doDecoder|doDecrypter|doDel|doDenoFiles|doDenoRun|doDenoTask|doDeploy|doDiff|doDirenvAllow|doDirenvExec|doDirname|doDiskpart|doDjango|doDoAsProxy|doDoas|doDotenv|doDotnet|doDownloader|doDpkg|doDropdb|doDump|doEdited|doEditor|doElectronBuilder|doEmpty|doEncode|doEngine|doEngineRemove|doEngineReset|doEntr|doEnv|doEnvPrefix|doErase|doEtcd|doExecutionPolicy|doExpect|doExpression|doFallocate|doFd|doFdupes|doFetch|doFind|doFirewall|doFish|doFlock|doForfiles|doForge|doFormat|doFormatWindows|doFsutil|doFtp|doFuser|doGcloud|doGdb|doGem|doGetChildItem|doGetClipboard|doGetContent|doGetent|doGhci|doGit|doGitAdd|doGitApply|doGitBisect|doGitBranch|doGitCheckout|doGitClean|doGitConfig|doGitCredential|doGitFetch|doGitForEach|doGitGC|doGitInit|doGitLFS|doGitLsFiles|doGitMail|doGitMaintenance|doGitNotes|doGitPlain|doGitPush|doGitReadTree|doGitReflog|doGitRemote|doGitReplace|doGitRequestPull|doGitReset|doGitRestore|doGitRevParse|doGitRewrite|doGitRewriteTool|doGitRm|doGitSendPack|doGitShow|doGitStash|doGitSubmodule|doGitSubtree|doGitSwitch|doGitTag|doGitUpdateRef|doGitWorktree|doGo|doGpg|doGrep|doGsutil|doHdfs|doHelm|doHex|doHg|doHgExtdiff|doHgPush|doHgRevert|doHgStrip|doHiveDump|doHttpie|doHyperV|doIP|doIcacls|doImage|doImageBuild|doImagePush|doImageTool|doImportModule|doInflux|doInspect|doInstall|doInstallOnly|doIntrusion|doInvokeItem|doItemProperty|doJava|doJj|doJjGit|doJq|doJupyter|doKafka|doKeyctl|doKeygen|doKill|doKitty|doKubectl|doKubectx|doLXC|doLaunchctl|doLftp|doLink|doListing|doLoad|doLookup|doLs|doLvm|doMacInstaller|doMachineShell|doMacros|doMail|doMailTool|doMan|doMemcached|doMessage|doMigrator|doMix|doMkdir|doMklink|doMktemp|doMmv|doMoney|doMongo|doMount|doMove|doMoveItem|doMshta|doMsiexec|doMutt|doMysqladmin|doNamed|doNcftp|doNet|doNetAdapter|doNetcat|doNetsh|doNetworkConfig|doNetworkOptions|doNewItem|doNewgrp|doNode|doNothing|doNpm|doNpx|doNsenter|doNvme|doOnePassword|doOpenssl|doOracle|doOsascript|doOtherGuard|doOtherManager|doOtherShell|doPSPackage|doParallel|doParted|doPartition|doPass|doPaste|doPatch|doPdsh|doPerl|doPgServer|doPgrep|doPhp|doPing|doPip|doPipx|doPkill|doPlaybook|doPoetry|doPowershell|doPrintenv|doPrisma|doProfiler|doProot|doProtection|doProxyExec|doPrune|doPsexec|doPython|doPythonTool|doR|doRabbit|doRails|doRealpath|doRecycleBin|doRedis|doReg|doRegedit|doRelease|doRemoteRun|doRemove|doRemoveItem|doRename|doRepository|doRestore|doRev|doRimraf|doRmdir|doRobocopy|doRsh|doRsync|doRunParts|doRunas|doRunner|doRunuser|doRvm|doSQLClient|doSQLite|doSSH|doSSHAdd|doSSHCopyID|doSSHKeygen|doSalt|doSay|doSc|doScan|doScancel|doSchedule|doSchtasks|doScp|doScreen|doScript|doScriptFile|doSecurity|doSed|doSendFile|doSendMail|doServe|doService|doServiceEnable|doSetACL|doSetContent|doSetarch|doSetcap|doSetfacl|doSevenZip|doSftp|doSg|doShadow|doShareTerminal|doShell|doShred|doSmb|doSocat|doSops|doSortLike|doSplitService|doSpool|doSshd|doStack|doStartStop|doStarted|doStdinScript|doStealer|doSteam|doStopProcess|doStoreRead|doStoreVerb|doSu|doSudo|doSv|doSvn|doSwift|doSysctl|doSystemPackages|doSystemctl|doSystemdRun|doTakeown|doTar|doTclsh|doTee|doTelnet|doTemplate|doTerminalWindow|doTerraform|doTftp|doTmux|doTr|doTransfer|doTruncate|doTunnel|doTyped|doUmpire|doUnshare|doUnzip|doUpload|doUsers|doUv|doVagrant|doVault|doVaultClient|doVolume|doWatch|doWatchexec|doWebRequest|doWebsocat|doWezterm|doWget|doWhich|doWho|doWinService|doWipefs|doWmi|doWmiMethod|doWmic|doWscript|doWsl|doXargs|doXattr|doXcrun|doXdgUserDir|doXxd|doZellijAction|doZip`

// programs are all descriptions as decode reads them, in the order of their names.
//
//go:embed programs_generated.txt
var programs string
