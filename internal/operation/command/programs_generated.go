// Code generated from programs/*.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

// readerTable has the functions that descriptions name, in the order of readerNames.
var readerTable = [...]func(*Call){
	doAWS,
	doAccounts,
	doAdb,
	doAfterDash,
	doAgent,
	doAgentTool,
	doAnsible,
	doAnsibleVault,
	doApplet,
	doApplyPatch,
	doArtisan,
	doAsUser,
	doAt,
	doAtrm,
	doAuditctl,
	doAuditpol,
	doAvrdude,
	doAwk,
	doBackup,
	doBase64,
	doBasename,
	doBits,
	doBitsadmin,
	doBlockdev,
	doBoot,
	doBootConfig,
	doBq,
	doBrowser,
	doBtrfs,
	doBuildPublish,
	doBun,
	doBwrap,
	doCapsh,
	doCapture,
	doCargo,
	doCat,
	doCelery,
	doCertutil,
	doChattr,
	doChmod,
	doChown,
	doChroot,
	doCipher,
	doClearContent,
	doClearLog,
	doClipboard,
	doClock,
	doCloud,
	doCmake,
	doCmd,
	doCmdkey,
	doComposeDown,
	doComposeFar,
	doComposeNone,
	doComposeRun,
	doComposeUp,
	doComposer,
	doCompress,
	doConda,
	doContainerCopy,
	doContainerExec,
	doContainerRemove,
	doContainerRun,
	doContainerStop,
	doCopilot,
	doCopy,
	doCopyItem,
	doCredentialHelper,
	doCrontab,
	doCryptsetup,
	doCurl,
	doCut,
	doCypher,
	doDD,
	doDate,
	doDbt,
	doDecodeFile,
	doDecoder,
	doDecrypter,
	doDefaults,
	doDel,
	doDenoRun,
	doDenoTask,
	doDeploy,
	doDiff,
	doDirenvAllow,
	doDirenvExec,
	doDirname,
	doDisk,
	doDiskpart,
	doDiskutil,
	doDjango,
	doDmesg,
	doDmsetup,
	doDoAsProxy,
	doDoas,
	doDotenv,
	doDotnet,
	doDpkg,
	doDropdb,
	doDropuser,
	doDump,
	doDvc,
	doEdited,
	doEditor,
	doEditorExtension,
	doElectronBuilder,
	doEmpty,
	doEngine,
	doEngineRemove,
	doEngineReset,
	doEntr,
	doEnv,
	doEnvPrefix,
	doErase,
	doEtcd,
	doExecutionPolicy,
	doExpect,
	doFallocate,
	doFd,
	doFdupes,
	doFetch,
	doFind,
	doFirewall,
	doFish,
	doFlock,
	doForfiles,
	doForge,
	doFormat,
	doFormatWindows,
	doFsutil,
	doFtp,
	doFuser,
	doGcloud,
	doGdb,
	doGem,
	doGetChildItem,
	doGetClipboard,
	doGetContent,
	doGetent,
	doGhci,
	doGit,
	doGitAdd,
	doGitApply,
	doGitBisect,
	doGitBranch,
	doGitCheckout,
	doGitClean,
	doGitConfig,
	doGitCredential,
	doGitFetch,
	doGitForEach,
	doGitGC,
	doGitInit,
	doGitLFS,
	doGitLsFiles,
	doGitMail,
	doGitMaintenance,
	doGitNotes,
	doGitPlain,
	doGitPush,
	doGitReadTree,
	doGitReflog,
	doGitRemote,
	doGitReset,
	doGitRestore,
	doGitRevParse,
	doGitRewrite,
	doGitRewriteTool,
	doGitRm,
	doGitSendPack,
	doGitShow,
	doGitStash,
	doGitSubmodule,
	doGitSubtree,
	doGitSwitch,
	doGitTag,
	doGitUpdateRef,
	doGitWorktree,
	doGo,
	doGpg,
	doGradle,
	doGrep,
	doGsutil,
	doGuardOff,
	doHdfs,
	doHelm,
	doHex,
	doHg,
	doHgExtdiff,
	doHgPush,
	doHgRevert,
	doHgStrip,
	doHiveDump,
	doHttpie,
	doHyperV,
	doIP,
	doIcacls,
	doImage,
	doImageBuild,
	doImagePush,
	doImageTool,
	doInflux,
	doInspect,
	doInstall,
	doInstallOnly,
	doIntrusion,
	doInvokeItem,
	doItemProperty,
	doJava,
	doJj,
	doJjGit,
	doJournal,
	doJq,
	doJupyter,
	doKafka,
	doKernel,
	doKeyctl,
	doKeygen,
	doKill,
	doKitty,
	doKubectl,
	doLXC,
	doLaunchctl,
	doLftp,
	doLink,
	doLoad,
	doLoginctl,
	doLogrotate,
	doLookup,
	doLs,
	doLvm,
	doMacInstaller,
	doMachineShell,
	doMacros,
	doMail,
	doMailTool,
	doMake,
	doMan,
	doMaven,
	doMdadm,
	doMemcached,
	doMessage,
	doMigrator,
	doMix,
	doMkdir,
	doMklink,
	doMktemp,
	doMoney,
	doMongo,
	doMount,
	doMove,
	doMoveItem,
	doMshta,
	doMsiexec,
	doMutt,
	doMysqladmin,
	doNamed,
	doNcftp,
	doNet,
	doNetAdapter,
	doNetcat,
	doNetsh,
	doNetworkConfig,
	doNetworkOptions,
	doNewItem,
	doNewgrp,
	doNode,
	doNothing,
	doNpm,
	doNpx,
	doNsenter,
	doNvme,
	doOnePassword,
	doOpenssl,
	doOracle,
	doOsascript,
	doOtherGuard,
	doOtherManager,
	doOtherShell,
	doParallel,
	doParted,
	doPartition,
	doPass,
	doPaste,
	doPatch,
	doPdsh,
	doPerl,
	doPgServer,
	doPgrep,
	doPhp,
	doPing,
	doPip,
	doPipx,
	doPkill,
	doPlaybook,
	doPoetry,
	doPool,
	doPower,
	doPowershell,
	doPrintenv,
	doPrisma,
	doProfiler,
	doProot,
	doProtection,
	doProxyExec,
	doPrune,
	doPsexec,
	doPython,
	doPythonTool,
	doQuietSystem,
	doR,
	doRabbit,
	doRails,
	doRealpath,
	doRecycleBin,
	doRedis,
	doReg,
	doRegedit,
	doRelease,
	doRemove,
	doRemoveItem,
	doRepository,
	doRestore,
	doRev,
	doRimraf,
	doRmdir,
	doRobocopy,
	doRsh,
	doRsync,
	doRunParts,
	doRunas,
	doRunner,
	doRunuser,
	doRvm,
	doSQLClient,
	doSQLite,
	doSSH,
	doSSHAdd,
	doSSHCopyID,
	doSSHKeygen,
	doSalt,
	doSay,
	doSc,
	doScan,
	doScancel,
	doSchedule,
	doSchtasks,
	doScp,
	doScreen,
	doScript,
	doScriptFile,
	doSecurity,
	doSed,
	doSendFile,
	doSendMail,
	doService,
	doServiceEnable,
	doSetACL,
	doSetContent,
	doSetarch,
	doSetcap,
	doSetfacl,
	doSetx,
	doSevenZip,
	doSftp,
	doSg,
	doShadow,
	doShadowCopies,
	doShareTerminal,
	doShell,
	doShred,
	doSmb,
	doSocat,
	doSops,
	doSortLike,
	doSplitService,
	doSpool,
	doSshd,
	doStack,
	doStartStop,
	doStarted,
	doStdinScript,
	doStealer,
	doSteam,
	doStopComputer,
	doStopProcess,
	doStoreRead,
	doStoreVerb,
	doStrace,
	doSu,
	doSudo,
	doSv,
	doSvn,
	doSwift,
	doSysctl,
	doSystemPackages,
	doSystemctl,
	doSystemdRun,
	doTakeown,
	doTar,
	doTask,
	doTclsh,
	doTee,
	doTelnet,
	doTerminalWindow,
	doTerraform,
	doTestRunner,
	doTftp,
	doTmux,
	doTr,
	doTransfer,
	doTrash,
	doTruncate,
	doTunnel,
	doTyped,
	doUmpire,
	doUnshare,
	doUnzip,
	doUpload,
	doUsers,
	doUv,
	doVagrant,
	doVault,
	doVaultClient,
	doVolume,
	doWatch,
	doWatchexec,
	doWebRequest,
	doWebsocat,
	doWevtutil,
	doWezterm,
	doWget,
	doWhich,
	doWho,
	doWinService,
	doWipefs,
	doWmi,
	doWmiMethod,
	doWmic,
	doWscript,
	doWsl,
	doXargs,
	doXattr,
	doXcrun,
	doXdgUserDir,
	doXxd,
	doZellijAction,
	doZip,
}

const readerNames = `|doAWS|doAccounts|doAdb|doAfterDash|doAgent|doAgentTool|doAnsible|doAnsibleVault|doApplet|doApplyPatch|doArtisan|doAsUser|doAt|doAtrm|doAuditctl|doAuditpol|doAvrdude|doAwk|doBackup|doBase64|doBasename|doBits|doBitsadmin|doBlockdev|doBoot|doBootConfig|doBq|doBrowser|doBtrfs|doBuildPublish|doBun|doBwrap|doCapsh|doCapture|doCargo|doCat|doCelery|doCertutil|doChattr|doChmod|doChown|doChroot|doCipher|doClearContent|doClearLog|doClipboard|doClock|doCloud|doCmake|doCmd|doCmdkey|doComposeDown|doComposeFar|doComposeNone|doComposeRun|doComposeUp|doComposer|doCompress|doConda|doContainerCopy|doContainerExec|doContainerRemove|doContainerRun|doContainerStop|doCopilot|doCopy|doCopyItem|doCredentialHelper|doCrontab|doCryptsetup|doCurl|doCut|doCypher|doDD|doDate|doDbt|doDecodeFile|doDecoder|doDecrypter|doDefaults|doDel|doDenoRun|doDenoTask|doDeploy|doDiff|doDirenvAllow|doDirenvExec|doDirname|doDisk|doDiskpart|doDiskutil|doDjango|doDmesg|doDmsetup|doDoAsProxy|doDoas|doDotenv|doDotnet|doDpkg|doDropdb|doDropuser|doDump|doDvc|doEdited|doEditor|doEditorExtension|doElectronBuilder|doEmpty|doEngine|doEngineRemove|doEngineReset|doEntr|doEnv|doEnvPrefix|doErase|doEtcd|doExecutionPolicy|doExpect|doFallocate|doFd|doFdupes|doFetch|doFind|doFirewall|doFish|doFlock|doForfiles|doForge|doFormat|doFormatWindows|doFsutil|doFtp|doFuser|doGcloud|doGdb|doGem|doGetChildItem|doGetClipboard|doGetContent|doGetent|doGhci|doGit|doGitAdd|doGitApply|doGitBisect|doGitBranch|doGitCheckout|doGitClean|doGitConfig|doGitCredential|doGitFetch|doGitForEach|doGitGC|doGitInit|doGitLFS|doGitLsFiles|doGitMail|doGitMaintenance|doGitNotes|doGitPlain|doGitPush|doGitReadTree|doGitReflog|doGitRemote|doGitReset|doGitRestore|doGitRevParse|doGitRewrite|doGitRewriteTool|doGitRm|doGitSendPack|doGitShow|doGitStash|doGitSubmodule|doGitSubtree|doGitSwitch|doGitTag|doGitUpdateRef|doGitWorktree|doGo|doGpg|doGradle|doGrep|doGsutil|doGuardOff|doHdfs|doHelm|doHex|doHg|doHgExtdiff|doHgPush|doHgRevert|doHgStrip|doHiveDump|doHttpie|doHyperV|doIP|doIcacls|doImage|doImageBuild|doImagePush|doImageTool|doInflux|doInspect|doInstall|doInstallOnly|doIntrusion|doInvokeItem|doItemProperty|doJava|doJj|doJjGit|doJournal|doJq|doJupyter|doKafka|doKernel|doKeyctl|doKeygen|doKill|doKitty|doKubectl|doLXC|doLaunchctl|doLftp|doLink|doLoad|doLoginctl|doLogrotate|doLookup|doLs|doLvm|doMacInstaller|doMachineShell|doMacros|doMail|doMailTool|doMake|doMan|doMaven|doMdadm|doMemcached|doMessage|doMigrator|doMix|doMkdir|doMklink|doMktemp|doMoney|doMongo|doMount|doMove|doMoveItem|doMshta|doMsiexec|doMutt|doMysqladmin|doNamed|doNcftp|doNet|doNetAdapter|doNetcat|doNetsh|doNetworkConfig|doNetworkOptions|doNewItem|doNewgrp|doNode|doNothing|doNpm|doNpx|doNsenter|doNvme|doOnePassword|doOpenssl|doOracle|doOsascript|doOtherGuard|doOtherManager|doOtherShell|doParallel|doParted|doPartition|doPass|doPaste|doPatch|doPdsh|doPerl|doPgServer|doPgrep|doPhp|doPing|doPip|doPipx|doPkill|doPlaybook|doPoetry|doPool|doPower|doPowershell|doPrintenv|doPrisma|doProfiler|doProot|doProtection|doProxyExec|doPrune|doPsexec|doPython|doPythonTool|doQuietSystem|doR|doRabbit|doRails|doRealpath|doRecycleBin|doRedis|doReg|doRegedit|doRelease|doRemove|doRemoveItem|doRepository|doRestore|doRev|doRimraf|doRmdir|doRobocopy|doRsh|doRsync|doRunParts|doRunas|doRunner|doRunuser|doRvm|doSQLClient|doSQLite|doSSH|doSSHAdd|doSSHCopyID|doSSHKeygen|doSalt|doSay|doSc|doScan|doScancel|doSchedule|doSchtasks|doScp|doScreen|doScript|doScriptFile|doSecurity|doSed|doSendFile|doSendMail|doService|doServiceEnable|doSetACL|doSetContent|doSetarch|doSetcap|doSetfacl|doSetx|doSevenZip|doSftp|doSg|doShadow|doShadowCopies|doShareTerminal|doShell|doShred|doSmb|doSocat|doSops|doSortLike|doSplitService|doSpool|doSshd|doStack|doStartStop|doStarted|doStdinScript|doStealer|doSteam|doStopComputer|doStopProcess|doStoreRead|doStoreVerb|doStrace|doSu|doSudo|doSv|doSvn|doSwift|doSysctl|doSystemPackages|doSystemctl|doSystemdRun|doTakeown|doTar|doTask|doTclsh|doTee|doTelnet|doTerminalWindow|doTerraform|doTestRunner|doTftp|doTmux|doTr|doTransfer|doTrash|doTruncate|doTunnel|doTyped|doUmpire|doUnshare|doUnzip|doUpload|doUsers|doUv|doVagrant|doVault|doVaultClient|doVolume|doWatch|doWatchexec|doWebRequest|doWebsocat|doWevtutil|doWezterm|doWget|doWhich|doWho|doWinService|doWipefs|doWmi|doWmiMethod|doWmic|doWscript|doWsl|doXargs|doXattr|doXcrun|doXdgUserDir|doXxd|doZellijAction|doZip`

// programs are all descriptions as decode reads them, in the order of their names.
const programs = `|7z 7za 7zr p7zip						doSevenZip
|7za	>7z
|7zr	>7z
|GET	>lwp-request
|HEAD	>lwp-request
|Mail	>mail
|POST	>lwp-request
|R	-e=e -f,--file=x -g,--gui=_ -d,--debugger=_ --args				r	doR
|Rscript	-e=e --default-packages=_ --vanilla --verbose --no-save --no-restore --no-environ --no-site-file --no-init-file --slave --quiet		1		r	doScriptFile
|Stop-Computer	>shutdown
|TexturePacker	>optipng
|VBoxManage vboxmanage	-q,--nologo --delete,-delete --delete-all --type=_ --name=_ --basefolder=t --register --uuid=_ --hostname=_ --output,-o=w --username=_ --password=_ --passwordfile=r --exe=_ --timeout=_ --live --format=_ --size=_ --filename=w --storagectl=_ --port=_ --device=_ --medium=_ --vsys=_					doCloud
	unregistervm				2
|[	>seq
|aa-complain	>setenforce
|aa-disable	>setenforce
|aa-teardown	>setenforce
|ab	-n=_ -c=_ -t=_ -s=_ -b=_ -B=_ -p=r -u=r -T=_ -v=_ -w -i -x=_ -y=_ -z=_ -C=_ -H=_ -A=_ -P=_ -X=_ -k -V+inert -h+inert -d -S -q -l -g=w -e=w -r -m=_ -Z=_ -f=_ -E=r					doLoad
|abctl	>aliyun
|abduco	-a -A -c -n -e=_ -f -p -l -r -q -v	_ C	1
|ack	-A,--after-context=_ -B,--before-context=_ -C,--context?=_ --match=_ -m,--max-count=_ --ignore-dir=_ --noignore-dir=_ --ignore-file=_ --type=_ -t=_ -T=_ --type-add=_ --type-set=_ --type-del=_ --output=_ --pager?=P --ackrc=_ --files-from=r --color-match=_ --color-filename=_ --color-lineno=_ --files-with-matches,-l --files-without-match,--files-without-matches,-L --count,-c --files,-f,-g -i,--ignore-case -I,--no-ignore-case -S,--smart-case -v,--invert-match -w,--word-regexp -Q,--literal -o -x --range-start=_ --range-end=_ -r,-R,--recurse -n,--no-recurse -h,--no-filename -H,--with-filename --nocolor --color --group --nogroup --heading --noheading --break --nobreak --column --passthru --print0 -s -k,--known-types --follow --nofollow --sort-files --show-types --noenv --flush -1 --proximate?=_ --bar					doGrep
|acli	>aliyun
|acli-acquia	>aliyun
|adb	-s,--one-device=_ -t=_ -H=_ -P=_ -L=_ -a,-d,-e		1			doAdb
|adc	>aliyun
|add-adgroupmember	>new-localuser
|add-apt-repository	>apt-key
|add-content	>set-content
|add-localgroupmember	>new-localuser
|add-mppreference	>set-mppreference
|add-type	>import-module
|addgroup	>useradd
|addpart	>delpart
|adduser	>useradd
|adnshost	-t,--type=_ -f,--pipe -s,--search -o,--owner=_ -i,--ptr=_ -Fi -Fs -a -q,--quiet					doLookup
|adyen	>stripe
|aerich	>alembic
|ag	-A,--after?=_ -B,--before?=_ -C,--context?=_ --depth=_ -G,--file-search-regex=_ --ignore=_ --ignore-dir=_ -m,--max-count=_ -p,--path-to-ignore=r --pager=P -W,--width=_ --workers=_ --color-line-number=_ --color-match=_ --color-path=_ --files-with-matches,-l --files-without-match,--files-without-matches,-L --count,-c -g,--filename-pattern=_ --files -a,--all-types --ackmate -D,--debug -f,--follow -F,--fixed-strings -H,--heading,--noheading --hidden -i,--ignore-case -n,--norecurse -o,--only-matching -Q,--literal -R,-r,--recurse -s,--case-sensitive -S,--smart-case --search-binary --silent --stats --nocolor --color --column --group --nogroup --numbers --nonumbers --noaffinity --nomultiline --vimgrep -t,--all-text -u,--unrestricted -U,--skip-vcs-ignores -v,--invert-match -w,--word-regexp -z,--search-zip -0,--null					doGrep	options
|age rage	-i,--identity=_ -o,--output=_ -r,--recipient=_ -R,--recipients-file=_ -d,--decrypt -p					doDecrypter
|age-keygen rage-keygen	-o,--output=_ -s=_ -p=_ -y -G -f -pq					doKeygen
|agentapi	>claude
|agentsh	>cc-safety-net
|aider	>claude
|air templ sqlc gotestsum ginkgo golines govulncheck ty pyrefly pyupgrade autoflake yapf autopep8 docformatter pydocstyle interrogate djlint xo standard tsd tslint htmlhint html-validate jscpd rspack oxfmt stencil ember									any	--exec -x --require -r --raw-command --post-run-command --rerun-fails-report --jsonfile-timing-events --toolexec --plugins --plugin --formatter -d --delay --ext --build.* --root
|airbyte	>aliyun
|aircrack-ng	-a=_ -e=_ -b=_ -p=_ -q -C=_ -l=w -w=r -N,--new-session=w -R,--restore-session=r -c -t -d=_ -m=_ -n=_ -i=_ -f=_ -k=_ -x -x0 -x1 -x2 -X -y -K -s -M=_ -D -P=_ -1 -V -S -Z=_ -r=r -E=w -j=w -J=w -I=_ -u		2			doIntrusion
|aireplay-ng	-b=_ -d=_ -s=_ -m=_ -n=_ -u=_ -v=_ -t=_ -f=_ -w=_ -D -x=_ -p=_ -a=_ -c=_ -h=_ -g=_ -F -e=_ -o=_ -q=_ -Q -y=r -j -k=_ -l=_ -B -i=_ -r=r -R --deauth,-0=_ --fakeauth,-1=_ --interactive,-2 --arpreplay,-3 --chopchop,-4 --fragment,-5 --caffe-latte,-6 --cfrag,-7 --migmode,-8 --test,-9 --ignore-negative-one		2			doIntrusion
|airodump-ng	-i,--ivs -g,--gpsd -w,--write=w -e,--beacons -u,--update=_ --showack -h -f=_ --berlin=_ -r=r -T -x=_ --manufacturer --uptime --wps --output-format=_ --ignore-negative-one --write-interval=_ --background=_ -n=_ -t,--encrypt=_ -m,--netmask=_ -d,--bssid=_ -N,--essid=_ -R,--essid-regex=_ -a --channel,-c=_ --band,-b=_ -C=_ -s,--cswitch=_		2			doIntrusion
|aiven	>aliyun
|akamai	>aliyun
|akeyless	>conjur
|alacritty	>xterm
|alembic flask-db aerich piccolo yoyo sequelize sequelize-cli knex typeorm typeorm-ts-node-commonjs drizzle-kit mikro-orm flyway liquibase dbmate hasura diesel sqlx sea-orm-cli migrate golang-migrate atlasgo sql-migrate tern soda buffalo pop db-migrate node-pg-migrate umzug phinx sqitch graphile-migrate kysely objection dbdeploy skeema pgroll refinery bytebase squawk ormolu convex strapi directus medusa payload keystone wp drush	--env,-e=_ --config=_ --url,-u=_ --database-url,-D=_ --schema=_ --database=_ -c=_ -d=_ --name=_ --path=_ --source=_ -y -f,--force --sql,--pretend,--dry-run,--dry_run,--show+inert --configFiles=_ --password=_ --user=_ --changelog-file=_					doMigrator
|algolia	>aliyun
|aliyun oci ibmcloud scw doctl linode-cli linode hcloud vultr-cli vultr exo exoscale civo upctl ovhcloud openstack govc contabo cntb tccli hcloud-cli yc jdc bce huaweicloud hwc nova cinder glance neutron swift-cli heat magnum cloudstack cmk nutanix ncli acli esxcli vim-cmd cloudctl now ntl railway render supabase firebase wrangler surge koyeb dokku convox eb ecs-cli amplify cf platform upsun clever scalingo gigalixir qovery porter deta begin arc nhost appwrite amplify-cli zeet northflank fl0 cleavr ploi forge-cli vapor envoyer kinsta pantheon terminus acli-acquia lagoon shopify eas circleci drone woodpecker-cli datadog-ci newrelic pd pagerduty opsgenie sentry-cli sentry rollbar honeycomb grafana grafanactl grafana-cli amtool jenkins-cli jenkins-cli.jar jenkins-jobs jcli buildkite-agent bk travis appveyor bitrise codemagic-cli-tools azure-pipelines teamcity concourse fastly akamai algolia apigeecli ldcli unleash flipt launchdarkly configcat statsig growthbook optimizely cloudflare cf-terraforming flarectl bunny bunnycdn gandi namecheap dnscontrol octodns route53 cli53 godaddy pscale planetscale neonctl neon turso upstash astro databricks confluent ccloud atlas mongocli aiven avn redisctl cockroach-cloud ccloud-cli timescale tigris snow quickwit qdrant pinecone weaviate dbtcloud airbyte abctl prefect dagster temporal tctl auth0 okta clerk workos fusionauth kcadm.sh kcadm kcadm.bat keycloak zitadel authentik boundary waypoint velero splunk kong deck traefik gitlab-runner gitlab-rake step-ca apisix adc krakend tyk nats rabbitmqadmin pulsar-admin pulsarctl rpk kaf kcat-admin emqx_ctl emqx vernemq mosquitto_ctrl etcdadm consul-admin minikube kind k3d k0s k0sctl kops eksctl kubeadm rke rke2 talosctl clusterctl tkn argo kubectl-argo-rollouts linkerd istioctl cilium calicoctl rancher microk8s vcluster capp kapp ytt-kapp werf skaffold tilt devspace okteto garden telepresence crossplane consul	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doCloud
|amass	-d=_ -df=r -active -passive -brute -w=r -o=w -oA=w -json=w -dir=t -config=r -src -ip -ipv4 -ipv6 -asn=_ -cidr=_ -org=_ -whois -max-dns-queries=_ -r=_ -rf=r -v -silent -timeout=_ -nf=r -p=_ -if=r -ef=r -list		4098			doIntrusion
|amm	-c,--code=e -p,--predef=x --predef-code=e --no-default-predef --no-home-predef -s,--silent -w,--watch -h,--home=D --color=_ --bsp		1		scala	doScriptFile
|amp	>copilot
|amplify	>aliyun
|amplify-cli	>aliyun
|amtool	>aliyun
|anacron	-f -u -s -n -q -d -t=r -T -S=D -V -h
|ansible	-m,--module-name=_ -a,--args=_ -i,--inventory=_ -u,--user=_ -l,--limit=_ -e,--extra-vars=_ -f,--forks=_ --private-key,--key-file=_ --vault-password-file=_ -C,--check+inert --list-hosts+inert -M=_ -t,--tree=_ -c,--connection=_ -b,--become -K --become-user=_ -P=_ -B=_					doAnsible
|ansible-config
	install	-r,--role-file=r -p,--roles-path=w -s,--server=_	p*
	collection
		install	-r,--requirements-file=r -p,--collections-path=w -s,--server=_	p*
		publish		r*		8
	role
		install	-r,--role-file=r -p,--roles-path=w	p*
		remove		_*		2
|ansible-console	>ansible-playbook
|ansible-doc
	install	-r,--role-file=r -p,--roles-path=w -s,--server=_	p*
	collection
		install	-r,--requirements-file=r -p,--collections-path=w -s,--server=_	p*
		publish		r*		8
	role
		install	-r,--role-file=r -p,--roles-path=w	p*
		remove		_*		2
|ansible-galaxy
	install	-r,--role-file=r -p,--roles-path=w -s,--server=_	p*
	collection
		install	-r,--requirements-file=r -p,--collections-path=w -s,--server=_	p*
		publish		r*		8
	role
		install	-r,--role-file=r -p,--roles-path=w	p*
		remove		_*		2
|ansible-inventory
	install	-r,--role-file=r -p,--roles-path=w -s,--server=_	p*
	collection
		install	-r,--requirements-file=r -p,--collections-path=w -s,--server=_	p*
		publish		r*		8
	role
		install	-r,--role-file=r -p,--roles-path=w	p*
		remove		_*		2
|ansible-lint									any	-schema-location -schema-location-* --schema-location --external-checks-git --external-checks-dir --external-modules-download-path --bc-api-key --repo-id --custom-check-url --config-file-url --plugins --add-checks -r -R -ignore-filename-pattern
	install	-r,--role-file=r -p,--roles-path=w -s,--server=_	p*
	collection
		install	-r,--requirements-file=r -p,--collections-path=w -s,--server=_	p*
		publish		r*		8
	role
		install	-r,--role-file=r -p,--roles-path=w	p*
		remove		_*		2
|ansible-playbook ansible-pull ansible-console	-i,--inventory=_ -u,--user=_ -l,--limit=_ -e,--extra-vars=_ -t,--tags=_ --skip-tags=_ --private-key=_ --vault-password-file=_ -C,--check+inert --syntax-check+inert --list-hosts+inert --list-tasks+inert --list-tags+inert -f,--forks=_ -U,--url=u -c=_	r*				doPlaybook
|ansible-pull	>ansible-playbook
|ansible-vault	--vault-password-file=_ --vault-id=_ --output=_ --encrypt-vault-id=_					doAnsibleVault
|ant						doBuildPublish			compile test build clean jar	-lib -logger -listener -inputhandler -propertyfile
|antora d2 dot neato markdownlint-cli2 markdownlint-cli remark proselint doctoc codespell linkchecker lychee									any	--header --basic-auth --cookie-jar --github-token --remap --require --rulePath --use -u --output-dir --fetch --config-file --bundle --browser --cmd
|apigeecli	>aliyun
|apisix	>aliyun
|apk	-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_		2048			doSystemPackages		search *,info *,list *,policy *		-c --config -o --option --installroot --setopt --root -R
|app-store-connect
	publish				8
	list-builds list-apps get-latest-build-number get-latest-testflight-build-number
|apparmor_parser	>setenforce
|apply_patch applypatch						doApplyPatch
|applypatch	>apply_patch
|apprise	>slackcat
|appveyor	>aliyun
|appwrite	>aliyun
|apt	-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_		2048			doSystemPackages		search *,list *,show *,policy *,depends *,rdepends *		-c --config -o --option --installroot --setopt --root -R
|apt-add-repository	>apt-key
|apt-cache	-p,--pkg-cache=_ -s,--src-cache=_ -q,--quiet -i,--important -f,--full -a,--all-versions -g,--generate -n,--names-only --installed --recurse --no-pre-depends --no-depends --no-recommends --no-suggests -c,--config-file=r -o,--option=_	_*						search *,show *,policy *,depends *,rdepends *,madison *		-c --config -o --option --installroot --setopt --root -R
|apt-config	>repoquery
|apt-file	-a,--architecture=_ -c,--config-file=r -D,--from-deb -f,--from-file -F,--fixed-string -i,--ignore-case -l,--package-only -N,--non-interactive -o,--option=_ -v,--verbose -x,--regexp --filter-suites=_	_*
|apt-get microdnf xbps-install xbps-remove pkg pkg_add pkg_delete nix nix-env nix-shell guix winget choco scoop eopkg urpmi swupd tdnf rpm-ostree	-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_		2048			doSystemPackages
|apt-key apt-add-repository add-apt-repository dnf-config-manager yum-config-manager rpmkeys						doRepository
|apt-mark	-f,--file=r -c,--config-file=r -o,--option=_	_*
|aptitude	-t=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check -y --command,-c=c --run=c --logfile=w -F=_ -O=_ -S=_ -w=_		2048			doSystemPackages
|ar	--output=t	w r*	16
|arc	>aliyun
|arch	-arch=_ -d=_ -e=E -32 -64 -arm64 -x86_64 -i386 -c	C	3				always
|arch-info	>hostid
|architect	>cdktf
|arduino-cli									compile board version	--upload -u --config-file --additional-urls --build-property --build-properties --library --libraries -p --port
|argo	>aliyun
|argocd flux fleet	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --path=_ --repo=_ --revision=_					doCloud
|aria2c	-d,--dir=_ -o,--out=_ -i,--input-file=_ -l,--log=w -s,--split=_ -x,--max-connection-per-server=_ -j,--max-concurrent-downloads=_ -k,--min-split-size=_ -T,--torrent-file=_ --on-download-complete=P --on-download-start=P --on-download-error=P --on-bt-download-complete=P --on-download-stop=P --on-download-pause=P --conf-path=_ --header=_ --load-cookies=_ --save-cookies=w --checksum=_ -U,--user-agent=_ --referer=_ -m,--max-tries=_ -t,--timeout=_ -c,--continue?=_ -V,--check-integrity?=_ -q,--quiet?=_ -D,--daemon?=_ -Z,--force-sequential?=_ -R,--remote-time?=_ -S,--show-files?=_ -P,--parameterized-uri?=_ --allow-overwrite?=_ --auto-file-renaming?=_ --dry-run?=_					doFetch
|arp	-d,--delete -s,--set -f,--file -n,--numeric -a,-e -i,--device=_ -H,-A,-t,--hw-type,--protocol=_ -v,--verbose					doNetworkOptions
|arping	-b -A -c=_ -D -f -I=_ -i=_ -q -s=_ -S=_ -U -V -w=_ -W=_ -C=_ -r -R -d -0 -t=_ -T=_					doPing
|arpspoof	-i=_ -c=_ -t=h -r		2			doIntrusion
|arptables	-t,--table=_ -F,--flush?=_ -X?=_ --delete-chain -Z?=_ -A,--append=_ -D,--delete=_ -L,--list?=_ -S,--list-rules?=_ -j,--jump=_ -m=_ -N=_ -C,--check=_ --and-mark=_ --match=_ --new=_ --or-mark=_ --set-class=_ -c,--set-counters=_ --xor-mark=_ -M,--modprobe=P					doFirewall
|artisan	--env=_ --database=_ --path=_ --step=_ --execute=_ --force --pretend+inert					doArtisan
|ascii85	>rot13
|asciidoctor asciidoctor-pdf									any	-r --require -I --load-path -E --template-engine -T --template-dir -S --safe-mode
|asciidoctor-pdf	>asciidoctor
|asciinema	-h
	rec record	-c,--command=c -t,--title=_ -i,--idle-time-limit=_ -e,--env=_	w
|asdf								list *,info *,current,which *
	exec		C	1
|aseprite	>optipng
|ash	>sh
|astro	>aliyun
|astyle	>clang-format
|at	-f=_ -q=_ -t=_ -l -c -d,-r -m -M -v -V -b					doAt
|at.exe	>schtasks
|atexec.py	>evil-winrm
|atftp	>tftp
|atlas	>aliyun
|atlasgo	>alembic
|atmos	>terragrunt
|atq	-V -q=_ -o=_
|atrm	-V					doAtrm
|attic	-n,--dry-run+inert -v,--verbose -s,--stats --prefix,-p=_ -e,--exclude=_ --exclude-from=r --keep-daily,-d=_ --keep-weekly,-w=_ --keep-monthly,-m=_ --keep-yearly,-y=_ --keep-hourly,-H=_ --keep-within=_ --encryption=_ --repair --cache-only					doBackup
|attrib logoff			544
|auditctl	-D -e=_ -l -s -w=_ -a=_ -d=_ -k=_ -p=_ -W=_ -R=_ -b=_ -f=_ -r=_ -i -c -t -q=_ -v -h -A=_ -C=_ -F=_ -S=_ -m=_					doAuditctl
|auditd	-f -l -n -s=_ -c=D
|auditpol			544			doAuditpol
|augenrules	--check --load	_*				doAuditctl
|auggie	>claude
|auth0	>aliyun
|authentik	>aliyun
|autocannon	-c,--connections=_ -p,--pipelining=_ -d,--duration=_ -a,--amount=_ -L,--sampleInt=_ -S,--socketPath=_ -w,--workers=_ -m,--method=_ -t,--timeout=_ -T,--title=_ -b,--body=_ -i,--input=r -F,--form=_ -H,--headers=_ -B,--bailout=_ -M,--maxConnectionRequests=_ -O,--maxOverallRequests=_ -r,--connectionRate=_ -R,--overallRate=_ -D,--reconnectRate=_ -s,--servername=_ -E,--expectBody=_ --har=r --cert=r --key=r --ca=r -W,--warmup --on-port -n,--no-progress -l,--latency -I,--idReplacement -j,--json -f,--forever -x,--excludeErrorStats -C,--ignoreCoordinatedOmission --renderStatusCodes					doLoad
|autoflake	>air
|autopep8	>air
|autossh	>ssh
|ava	>pytest
|avn	>aliyun
|avrdude	-p,-c,-P,-b,-B,-C,-E,-i,-l,-x,-U=_					doAvrdude
|awk gawk	-f,--file=x -F,--field-separator=_ -v,--assign=_ -i,--include=x -e,--source=e -E,--exec=x -l,--load=_ -o?=_ -p?=_ -d?=_ -b -c -C -g -h -k -M -n -N -O -P -r -s -S -t -V --posix --traditional --sandbox --re-interval --lint?=_ --csv		1		awk	doAwk
|aws awslocal	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --acl=_ --exclude=_ --include=_ --ca-bundle=_ --cli-binary-format=_ --color=_ --recursive --delete --no-dry-run					doAWS
|aws-okta	>aws-vault
|aws-sam-cli	>cdktf
|aws-vault aws-okta saml2aws	-d,--duration=_ -a,--idp-account=_
	exec	-d,--duration=_ -m,--mfa-token=_ --region=_ --exec-profile=_		1			doAfterDash
|awslocal	>aws
|axel	-o,--output=_ -s,--max-speed=_ -n,--num-connections=_ -H,--header=_ -U,--user-agent=_ -T,--timeout=_ -a,--alternate -c,--no-clobber -k,--insecure -p,--percentage -q,--quiet -v,--verbose -4,--ipv4 -6,--ipv6 -N,--no-proxy -S,--search?=_ --max-redirect=_					doFetch
|az	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --ids=_ --vault-name=_ --source,--pattern=_ --set=_					doCloud		account show,account list,group list,group show,vm list,aks list,acr list,webapp list,functionapp list,resource list,storage account list,network vnet list,version,extension list		--debug --sdk-auth
|azcopy	--dry-run+inert --recursive?=_ --delete-destination?=_ --log-level=_ --from-to=_ --include-pattern=_ --exclude-pattern=_					doTransfer
|azure-pipelines	>aliyun
|b2	>ossutil
|b2sum gb2sum	-l,--length=_ -b,--binary -c,--check -t,--text -z,--zero --tag --ignore-missing --quiet --status --strict -w,--warn	i*					always
|b64decode	-o,--output-file=w					doDecodeFile
|babashka	>clojure
|badblocks	-o=_ -p=_ -t=_ -b=_ -i=r					doErase
|bao	>vault
|barman	-c,--config=r --color=_ --log-level=_ -q,--quiet -d,--debug -f,--format=_ --target-time=_ --target-name=_ --target-xid=_ --target-tli=_ --remote-ssh-command=c --get-wal --no-get-wal --tablespace=_ --reuse-backup=_ --jobs,-j=_ --keepalive --wait,-w --target=_ --release --status --archive-wal --purge --minimal --nagios --force --immediate-checkpoint --bwlimit=_ --retry-times=_ --standby-mode					doBackup
|base16	>rot13
|base32 gbase32	-d,-D,--decode -w,--wrap=_ -i,--ignore-garbage	r				doBase64	always
|base58	-d,-D,--decode -c,--check -n=_	r*				doDecodeFile
|base64 gbase64	-d,-D,--decode -w,--wrap=_ -i,--ignore-garbage,--input=r -o,--output=w -b,--break=_	r				doBase64	always
|base85	>rot13
|basename gbasename	-s,--suffix=_ -a,--multiple -z,--zero					doBasename	always
|basenc gbasenc	-d,-D,--decode -w,--wrap=_ -i,--ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --base58 --z85	r				doBase64
|bash	>sh
|bash.exe	>conhost
|bat batcat	-l,--language=_ --style=_ --theme=_ --theme-dark=_ --theme-light=_ --paging=_ --pager=P --color=_ --decorations=_ --italic-text=_ --tabs=_ --wrap=_ --terminal-width=_ -H,--highlight-line=_ -r,--line-range=_ -m,--map-syntax=_ --file-name=_ --ignored-suffix=_ --squeeze-limit=_ --strip-ansi=_ --nonprintable-notation=_ --diff-context=_ --binary=_ --completion=_ -A,--show-all -p,--plain -n,--number -d,--diff -f,--force-colorization -P -u,--unbuffered -L,--list-languages --list-themes -s,--squeeze-blank --no-config --no-custom-assets --no-pager -S,--chop-long-lines --acknowledgements --diagnostic --set-terminal-title	r*				doCat
|batcat	>bat
|batch	-f=_ -q=_ -m -V					doAt
|bazel bazelisk buck2	-f,--file,--justfile,--taskfile,--rakefile=_ -C,-d,--working-directory,--directory=D -j=_ -t=_ -e=_ -s,--session=_ --set=_ -n,--dry-run,--dry+inert					doTask			build test query cquery aquery info version coverage	--run_under --workspace_status_command --override_repository --override_module --output_base --remote_* --bes_* --experimental_* --credential_helper --action_env --repo_env --tool_java* --host_jvm* --extra_toolchains --shell_executable --script_path --test_env
|bazelisk	>bazel
|bb	>gh
|bc	>seq
|bcachefs	>btrfs
|bcdboot	>bootrec
|bcdedit	>grub-install
|bce	>aliyun
|bcov	-p=_ -v=_	_ C	1
|beef	-x,--reset -v,--verbose -a,--ascii_art -c,--config=r -p,--port=_ -w,--wsport=_ -ud,--update_disabled -ua,--update_auto		2			doIntrusion
|beeline	>snowsql
|beesu	-l -m -P -c=c		1			doDoas
|begin	>aliyun
|berglas	>doppler
|bettercap	-iface=_ -gateway-override=_ -autostart=_ -caplet=r -debug -eval=_ -silent -no-colors -no-history -script=x -version -cpu-profile=w -mem-profile=w -env-file=w -caplets-path=t -pcap-buf-size=_		2		js	doIntrusion
|bfg						doGitRewriteTool
|biome	>pytest
|biscuit	>credstash
|bitrise	>aliyun
|bitsadmin			544			doBitsadmin
|bk	>aliyun
|black	-c,--code=_ -l,--line-length=_ -t,--target-version=_ --pyi --ipynb -S,--skip-string-normalization -C,--skip-magic-trailing-comma --preview --unstable --check --diff --color --fast --safe --required-version=_ --include=_ --exclude=_ --extend-exclude=_ --force-exclude=_ --stdin-filename=_ -W,--workers=_ -q,--quiet -v,--verbose --config=r --line-ranges=_ --no-cache					doTestRunner
|blender	>optipng
|bless	>grub-install
|blkdiscard sdparm nwipe format.com secure-delete	-n,-z,--zero -w -s -f,--force -o=_ -l=_ -p=_ -v --security-erase=_ --security-erase-enhanced=_ --user-master=_ -I -i -t -T -C -g					doErase
|blkid	-n,--match-types=_ -d -f,--file=r -i -p,--probe -s=_ -t=_ -H,--hint=_ --match-tag=_ -O,--offset=_ -c,--cache-file=w -u,--usages=_	_*
|blockdev						doBlockdev
|bmake	-B -d=_ -D=_ -e -f=_ -i -I=D -j=_ -J=_ -k -m=D -n+inert -N+inert -q -r -s -S -t -T=w -V=_ -v=_ -w -W -X -C=D					doMake
|bolt	>puppet
|bombardier	-c,--connections=_ -t,--timeout=_ -l,--latencies -m,--method=_ -b,--body=_ -f,--body-file=r -s,--stream --cert=r --key=r -k,--insecure -H,--header=_ -n,--requests=_ -d,--duration=_ -r,--rate=_ -p,--print=_ -q,--no-print -o,--format=_ --fasthttp --http1 --http2					doLoad
|bootcfg	>bootrec
|bootctl	-v -l		4096			doBoot
|bootrec bcdboot bootcfg reagentc			544			doBootConfig
|bore	>localxpose
|borg	-n,--dry-run+inert --repo=_ -a,--glob-archives=_ --prefix=_ --keep-daily=_ --keep-weekly=_ --keep-monthly=_ --keep-last=_ --rsh=P --stanza=_ --exclude=_ -e=_ --list --stats,-s -v,--verbose,--info --debug -p,--progress -q --log-json --lock-wait=_ --remote-path=_ --umask=_ --upload-ratelimit=_ --force --save-space --keep-secondly=_ --keep-minutely=_ --keep-hourly=_ -H=_ -d=_ -w=_ -m=_ -y,--keep-yearly=_ --keep-within=_ --exclude-from=r --pattern=_ --patterns-from=r --exclude-caches --exclude-if-present=_ -x,--one-file-system -C,--compression=_ --comment=_ --json --json-lines --format=_ --first=_ --last=_ --strip-components=_ --numeric-ids --stdout --sparse --encryption=_ --append-only --storage-quota=_ --repair --verify-data --repository-only --archives-only --cache-only --threshold=_ --debug-profile=w					doBackup
|borgmatic	-c,--config=r -n,--dry-run+inert -v,--verbosity=_ --syslog-verbosity=_ --log-file=w --log-file-verbosity=_ --override=_ --no-color --repository=_ --archive=_ --stats --list --files --json --progress --destination=t --path=_ --strip-components=_ --prune-archives --force --match-archives=_					doBackup
	delete				2
	repo-delete				4
	prune compact	-n,--dry-run+inert			2
|boringproxy	>localxpose
|boundary	>aliyun
|bpftrace	-e=e -f=_ -o=w -d=_ -b -B=_ -c=c -l?=_ -p=_ -v --unsafe --usdt-file-activation -I=D --include=r -V --info -k -kk --no-warnings --no-feature=_ --aot=w --emit-elf=w -q		1		script	doScriptFile
|bpython	>python
|bq	--dry_run+inert --project_id=_ --dataset_id=_ --location=_ --format=_ -r,-R,--recursive -f,--force -t,--table -d,--dataset -m,--model -n=_ --destination_table=_ --replace					doBq
|braintree	>stripe
|brakeman i18n-tasks reek erblint erb_lint standardrb steep haml-lint slim-lint bundle-audit sidekiq puma rackup yard									any	--require -r --plugin -I --include -S --state --control-url --pidfile --load --eval -e -b --bind --config-file --ensure-latest
|brctl	>ethtool
|brew	-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_		2048			doSystemPackages		list *,ls *,info *,search *,outdated,deps *,uses *,leaves,config,doctor,--prefix,--cellar,--version,services list,desc *
|bridge	>ifconfig
|broot	-c,--cmd=_+changes --conf=r --outcmd=w --verb-output=w --color=_ --height=_ --max-depth=_ -h,--hidden -s,--sizes -d,--dates -p,--permissions -g,--show-git-info -i,--git-ignored -f,--only-folders -w,--whale-spotting	i*
|brotli	-d,--decompress -o,--output=w -q,--quality=_ -w,--lgwin=_ --large_window=_ -S,--suffix=_ -D,--dictionary=r -c,--stdout -f,--force -j,--rm -k,--keep -n,--no-copy-stat -s,--squash -t,--test -v,--verbose -l,--list -Z,--best -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best					doCompress
|browsh	-startup-url=u -firefox.path=P -firefox.use-existing -firefox.with-gui -http-server-mode -debug -monochrome -name=_ -time-limit=_ -version+inert	u*	2
|brush	>sh
|brz	>bzr
|bsd-mailx	-s=_ -a=_ -b=_ -c=_ -r=_ -u=_ -f=_ -E					doMail
|bsdtar	-f,--file=_ -C,--directory,--cd=D -x,--extract,--get -c,--create -t,--list -r,--append -u,--update -T,--files-from=r -X,--exclude-from=r --exclude=_ --include=_ -I=r -s=_ --strip-components=_ --uid=_ --gid=_ --uname=_ --gname=_ --owner=_ --group=_ --format=_ --options=_ --newer=_ --newer-mtime=_ --use-compress-program=c --passphrase=_ -b,--block-size=_ -O,--to-stdout -P,--absolute-paths -z,--gzip -j,--bzip2 -J,--xz --zstd -a,--auto-compress -v,--verbose -k -m -p -S -h -L -H -l -n -U,--unlink-first -w -q,--fast-read -B --acls --xattrs --fflags --mac-metadata --null		16			doTar	words			-I -T --checkpoint-action --to-command -F --rsh-command --rmt-command -g -P --use-compress-program --index-file --volno-file
|bsky	>slackcat
|bsondump	>mongodump
|bteq	>snowsql
|btrbk	-c,--config=r -n,--dry-run+inert --exclude=_ -p,--preserve --preserve-snapshots --preserve-backups --wipe -v,--verbose -q,--quiet -l,--loglevel=_ -t,--table -L,--long --format=_ -S,--print-schedule --progress --lockfile=w --override=_ -s,--single-column --raw					doBackup
|btrfs bcachefs						doBtrfs
|buck2	>bazel
|buf
	push				8
	build lint breaking format ls-files stats
|buffalo	>alembic
|buildah	-f,--file=r -t,--tag=_ --build-arg=_ -a,--all --storage-driver=_ --root=_ --log-level=_ --tls-verify?=_					doImageTool
|buildkite-agent	>aliyun
|bun	-e,--eval=e -p,--print=e -r,--preload,--require,--import=x --cwd=_ -c,--config?=_ --env-file=_ --port=_ --filter,-F=_ --elide-lines=_ --define,-d=_ --loader,-l=_ --tsconfig-override=_ --conditions=_ --main-fields=_ --inspect?=_ --watch --hot --bun,-b --silent --smol --if-present --install=_ -i --no-install --prefer-offline --prefer-latest		1		js	doBun
|bundle bundler	--gemfile=_ --path=_ -j=_ --without=_		1			doRunner		list *,show *,info *,outdated *,check,platform *,licenses
|bundle-audit	>brakeman
|bundler	>bundle
|bunny	>aliyun
|bunnycdn	>aliyun
|bunx	>npx
|bunzip2	-c,--stdout -f,--force -k,--keep -q,--quiet -s,--small -t,--test -v,--verbose	r*				doDecoder
|bup	-d,--bup-dir=D -r,--remote=_ -n,--name=_ -q -v,--verbose --unsafe --outdir,-C=t --exclude=_ --exclude-from=r --exclude-rx=_ -x,--one-file-system -f,--indexfile=o -s -m -u --strip --graft=_ --bwlimit=_					doBackup
|busybox toybox			256			doApplet
|butler	-i,--identity,--userversion,--if-changed,--ignore=_							status *,validate *,version		--identity -i --address
	push				8
	status login logout validate version which
|bw rbw lpass keepassxc-cli kpcli dashlane dcli nordpass proton-pass keeper	--session=_ --organizationid=_ -k,--key-file=_ -a,--attributes=_ --output=_					doVaultClient
|bwrap			256			doBwrap
|bws	>conjur
|byobu			1			doTmux
|bytebase	>alembic
|bzcat	-s,--small	r*				doCat	always
|bzgrep	>zgrep
|bzip2	-d,--decompress -c,--stdout -z,--compress -f,--force -k,--keep -q,--quiet -s,--small -t,--test -v,--verbose -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best -l,--list					doCompress
|bzr brz darcs fossil pijul
	push sync send						doHgPush
|c++	>gcc
|cabal	--server=_ --source=_ --only-server=_ --mirror=_ -e=_					doOtherManager		list *,info *,check,outdated *	build test check haddock bench	--with-* --project-file --stack-yaml --exec --ghc-options --builddir
|cacls	>icacls
|caesar	>rot13
|caffeinate	-t=_ -w=_ -d -i -m -s -u	C	1
|cal	>seq
|calicoctl	>aliyun
|cancel	>lprm
|cap capistrano mina kamal mrsk deployer dep fab fabric shipit pm2-deploy deploy-rs nixos-rebuild morph colmena	-n,--dry-run+inert -d,--destination=_ -H,--hosts=_ -c=_ -f=_ -s=_					doDeploy
|capistrano	>cap
|capp	>aliyun
|capsh			256			doCapsh
|cargo	-C=D --config=_ --manifest-path=_ --target-dir=_ -p,--package=_ --features=_ --bin=_ --example=_ --test=_ -j=_ --target=_ --git=_ --path=_ --registry=_ --index=_ --version,--vers=_ --token=_ --root=_ --profile=_ -n,--dry-run+inert --color=_ --message-format=_ -Z=_ --config=_ --jobs=_ --lockfile-path=_ --explain=_ --exclude=_ --bench=_ --timings?=_		2056			doCargo		search *,info *
|carthage	>luarocks
|casperjs	>qjs
|cat gcat	-A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t -T,--show-tabs -u -v,--show-nonprinting	r*				doCat	always
|catchsegv	>eatmydata
|cc	>gcc
|cc-bash-guard	>cc-safety-net
|cc-safety-net dcg nah shellfirm claude-hooks cc-bash-guard tirith agentsh						doOtherGuard
|ccat	>ccrypt
|ccdecrypt	>ccrypt
|ccencrypt	>ccrypt
|ccloud	>aliyun
|ccloud-cli	>aliyun
|ccr	>claude
|ccrypt ccdecrypt ccencrypt ccat	-e,--encrypt -d,--decrypt -c,--cat -x,--keychange -u,--unixcrypt -b,--brave -E,--envvar=_ -f,--force -F,--envvar2=_ -k,--keyfile=r -K,--key=_ -H,--key2=_ -l,--symlinks -m,--mismatch -P,--prompt=_ -q,--quiet -Q,--prompt2=_ -r,--recursive -R,--rec-symlinks -s,--strictsuffix -S,--suffix=_ -t,--timid -T,--tmpfiles -v,--verbose -y,--keyref=r -L,--license -V,--version+inert					doDecodeFile
|cdk	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doStack			synth ls list	--app -a --plugin -p --role-arn --toolkit-stack-name --proxy --ca-bundle-path
|cdklocal	>cdktf
|cdktf sam serverless sls sst chalice zappa aws-sam-cli samlocal cdklocal copilot-cli up-cli architect winglang wing stacks tflocal infracost	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doStack
|celery	-A,--app=_ -b,--broker=_ --workdir=_ -Q,--queues=_ -f,--force					doCelery
|certutil	-urlcache -split -f -decode -encode -decodehex -verifyctl -ping -hashfile -addstore -delstore		514			doCertutil
|cf	>aliyun
|cf-agent	>puppet
|cf-terraforming	>aliyun
|cfdisk	>fdisk
|cgdb	>gdb
|cgdisk	>gdisk
|cgexec	-g=_ --sticky -b	C	1
|chage	-d=_ -m,--mindays=_ -M,--maxdays=_ -l,--list -E=_ -W=_ --expiredate=_ -I,--inactive=_ --lastday=_ --warndays=_ -R,--root=D -P,--prefix=w					doUsers
|chalice	>cdktf
|chamber
	exec			1			doAfterDash
	read export env				64
	delete				4
|changeset
	publish				8
	version status add init tag pre
|chargebee	>stripe
|chattr	-R+recursive -v=_ -p=_ -V -f					doChattr
|chayang	-d=_	C	1
|chc	>clickhouse-client
|checkov	>kube-linter
|checkpatch.pl	>clang-format
|checkpoint-computer			514
|chef	>puppet
|chef-client	>puppet
|chef-solo	>puppet
|chez	>clojure
|chfn	-r,--room=_ -f=_ --full-name=_ -h,--home-phone=_ -o,--other=_ -w,--work-phone=_ -R,--root=D					doUsers
|chgrp	>chown
|chisel	>localxpose
|chkconfig	--add --del --list --level=_ --type=_ --no-redirect					doServiceEnable
|chmod gchmod	-R,--recursive+recursive --reference=_ -c,--changes -f,--silent,--quiet -v,--verbose --preserve-root --no-preserve-root -H -L -P -h,--no-dereference		128			doChmod	always
|choco	>apt-get
|chokidar chokidar-cli	-c,--command=c -i,--ignore=_ -d,--debounce=_ --initial
|chokidar-cli	>chokidar
|choom	-n,--adjust=_ -p,--pid=_ -V	C	1
|chown gchown chgrp gchgrp	-R,--recursive+recursive --reference=_ --from=_ -c,--changes -f,--silent,--quiet -v,--verbose -h,--no-dereference --dereference -H -L -P --preserve-root --no-preserve-root					doChown	always
|chpasswd	-s=_ -c=_ -e,--encrypted --crypt-method=_ -R,--root=D -P,--prefix=w					doUsers
|chpst	-u=_ -U=_ -b=_ -e=_ -/=_ -n=_ -l=_ -L=_ -m=_ -d=_ -o=_ -p=_ -f=_ -c=_ -C=_ -P -0 -1 -2 -v -V	C	1
|chromepass	>mimikatz
|chronic	-v -e	C	1
|chroot	--userspec=_ --groups=_ -u=_ -g=_ -G=_ --skip-chdir -n		1			doChroot
|chrt	-b,--batch -d,--deadline -f,--fifo -i,--idle -o,--other -r,--rr -a,--all-tasks -R,--reset-on-fork -v,--verbose -T,--sched-runtime=_ -P,--sched-period=_ -D,--sched-deadline=_ -m,--max -p,--pid -V	_ C	1
|chsh	-s,--shell=_ -R,--root=D -l,--list-shells+inert					doUsers
|cilium	>aliyun
|cinc-client	>puppet
|cinder	>aliyun
|cipher	/w?=_		544			doCipher
|circleci	>aliyun
|circuitpython	>python
|circusctl	>pm2
|civo	>aliyun
|cksum gcksum	-a,--algorithm=_ -l,--length=_ -o=_ -c,--check -b,--base64 --raw --tag --untagged -z,--zero --strict --status --quiet -w,--warn --ignore-missing --debug	i*					always
|clang	>gcc
|clang++	>gcc
|clang-format cppcheck uncrustify astyle cpplint iwyu_tool.py doxygen dtc glslc glslangValidator spirv-val spirv-opt naga checkpatch.pl									any	--addon --rule-file --executor --site-dir --tool-path --dump-config
|clang-tidy run-clang-tidy									any	-load --load --extra-arg --extra-arg-before -extra-arg -extra-arg-before --vfsoverlay -clang-tidy-binary
|claude claude-code qwen cursor-agent cursor aider opencode goose droid q kiro-cli kiro crush cline cody plandex gptme open-interpreter interpreter sweep continue cn auggie rovodev forge pi vibe mistral-vibe junie jules warp-agent mentat gpt-engineer devin grok iflow kilocode kilo roo trae windsurf codebuddy openhands swe-agent llm-agent agentapi happy ccr vibe-kanban	--permission-mode=_ --approval-mode=_ -a,--ask-for-approval=_ --sandbox?=_ -s=_ -c,--config=_ -m,--model=_ -p,--print -C,--cd=_ --settings=_ --mcp-config=_ --add-dir=_ --message=_ --append-system-prompt=_ --system-prompt=_ --allowedTools,--allowed-tools=_ --disallowedTools,--disallowed-tools=_ --output-format=_ --input-format=_ --profile=_ --auto=_ --approve-mode=_ --autonomy=_ --plugin-dir=_ --resume?=_					doAgent
|claude-code	>claude
|claude-hooks	>cc-safety-net
|clear	>seq
|clear-content clear-item	-Path,-LiteralPath=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doClearContent
|clear-disk	>format-volume
|clear-eventlog remove-eventlog limit-eventlog clear-history	-LogName=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doClearLog
|clear-history	>clear-eventlog
|clear-item	>clear-content
|clear-physicaldisk	>format-volume
|clear-recyclebin	-WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doRecycleBin
|cleavr	>aliyun
|clerk	>aliyun
|clever	>aliyun
|cli53	>aliyun
|clickhouse	>clickhouse-client
|clickhouse-client clickhouse clickhouse-local chc	-q,--query=q --queries-file=_ -h,--host=_ --port=_ -u,--user=_ --password=_ -d,--database=_ --format=_				clickhouse	doSQLClient
|clickhouse-local	>clickhouse-client
|cline	>claude
|clip.exe	>pbpaste
|clippy-driver	>pytest
|clisp	-x=e -c=r -i=x -o=w -M=r -m=_ -B=D -K=_ -N=D -E=_ -L=_ -p=_ -q -norc -ansi -traditional -modern -repl -on-error=_ -l -C -w -I -v -d --version		1		lisp	doScriptFile
|clj	>clojure
|clojure clj babashka chez scheme mit-scheme newlisp	-e,--eval,-E=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e		1		lisp	doScriptFile
|cloudctl	>aliyun
|cloudflare	>aliyun
|cloudflared	--config=_ --url=_ --name=_ --hostname=_ --token=_ --unix-socket=_ --logfile=w --credentials-file=_					doTunnel
|cloudstack	>aliyun
|clush	>pdsh
|clusterctl	>aliyun
|clusterdb	-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -d,--dbname=_ -t,--table=_ -a,--all -q,--quiet -v,--verbose
|cmake	-S=_ -B=_ -G=_ -D=_ -P=r -E -C=r -A=_ -T=_ -U=_ --build=_ --target,-t=_ -j,--parallel?=_ --install=_ --prefix=_ --component=_ --config=_ --preset=_ --log-level=_ --toolchain=_ --install-prefix=_					doCmake
|cmd			256			doCmd
|cmdkey vaultcmd			544			doCmdkey
|cmk	>aliyun
|cmp gcmp	-i,--ignore-initial=_ -n,--bytes=_ -b,--print-bytes -l,--verbose -s,--quiet,--silent					doDiff	always
|cmstp	>regsvr32
|cn	>claude
|cnpm	>npm
|cntb	>aliyun
|cockroach	-e,--execute=q -f,--file=_ --url=_ --host=_ --database,-d=_ -u,--user=_ --certs-dir=_				postgres	doSQLClient
|cockroach-cloud	>aliyun
|cockroach-sql	>psql
|code code-insiders codium vscodium code-server	--install-extension=_ --uninstall-extension=_ --user-data-dir=_ --extensions-dir=_ --folder-uri=_ --profile=_ -d,--diff -g,--goto -a,--add					doEditorExtension
|code-insiders	>code
|code-server	>code
|codebuddy	>claude
|codemagic-cli-tools	>aliyun
|codespell	>antora
|codex	-c,--config=_ --enable=_ --disable=_ -i,--image=r -m,--model=_ --oss --local-provider=_ -p,--profile=_ -s,--sandbox=_ -a,--ask-for-approval=_ --full-auto --dangerously-bypass-approvals-and-sandbox,--yolo -C,--cd=_ --search --add-dir=_ --no-alt-screen --skip-git-repo-check --output-schema=r -o,--output-last-message=w --json --color=_ --last --all --ephemeral					doAgent
|codium	>code
|cody	>claude
|colima	-p,--profile=_ -c,--cpu=_ -m,--memory=_ -d,--disk=_ -a,--arch=_ -r,--runtime=_ -t,--vm-type=_ -k,--kubernetes --kubernetes-version=_ --network-address --mount=_ --mount-type=_ --dns=_ --env=_ -e,--edit --editor=P --force,-f --data --verbose --very-verbose --foreground --hostname=_ --ssh-agent --rosetta --json					doLXC
|colmena	>cap
|colordiff	--difftype=_ --color=_ --fakeexitcode -x,--exclude=_ -X,--exclude-from=r -U,-C=_ --unified,--context?=_ -L,--label=_ -I,--ignore-matching-lines=_ -W,--width=_ -a,--text -b,--ignore-space-change -B,--ignore-blank-lines -c -i,--ignore-case -N,--new-file -p,--show-c-function -q,--brief -r,--recursive -s -u -w,--ignore-all-space -y,--side-by-side	r*					options
|colrm	>readelf
|column	-s,--separator=_ -o,--output-separator=_ -c,--output-width=_ -C,--table-column=_ -N,--table-columns=_ -l,--table-columns-limit=_ -R,--table-right=_ -H,--table-hide=_ -W,--table-wrap=_ -O,--table-order=_ -E,--table-noextreme=_ -T,--table-truncate=_ -n,--table-name=_ -r,--tree=_ -i,--tree-id=_ -p,--tree-parent=_ -t,--table -J,--json -d,--table-noheadings -e,--table-header-repeat -x,--fillrows -L,--keep-empty-lines -m,--table-maxout	r*					always
|comm gcomm	--output-delimiter=_ -1 -2 -3 -i --check-order --nocheck-order --total -z,--zero-terminated	r*				doSortLike	always
|command_not_found_handle		C	256
|commix	-u,--url=u -l=r -m=r -r=r -x=_ --crawl=_ --data=_ --host=_ --referer=_ --user-agent=_ --random-agent --cookie=_ -H,--header=_ --headers=_ --proxy=_ --tor --auth-url=u --auth-data=_ --auth-type=_ --auth-cred=_ --force-ssl --all --current-user --hostname --is-root --sys-info --users --passwords --file-read=_ --file-write=r --file-upload=r --file-dest=_ --os-cmd=_ --os=_ --batch -v=_ --level=_ --technique=_ -p=_ --update --purge --output-dir=t		2			doIntrusion
|composer	-d,--working-dir=D --repository=_ --dev --no-scripts -n -q --dry-run+inert					doComposer		validate,show *,info *,outdated *,licenses,search *
|compress	-d -S=_ -b=_ -c -f -k -r -v					doCompress
|conan
	upload	-r,--remote=_ -c,--confirm --dry-run+inert			8
	remove	-r,--remote=_+destroys-data -c,--confirm --dry-run+inert
	remote
		add update set-user login				1
		list
|concourse	>aliyun
|concurrently	>pytest
|conda mamba	-n,--name=_ -p,--prefix=_ -c,--channel=_ -f,--file=r -d,--dry-run+inert -y,--yes --cwd=D --no-capture-output --live-stream		1			doConda		list *,info *,search *,env list
|condor_run	>sbatch
|configcat	>aliyun
|confluent	>aliyun
|conftest									test verify fmt	--update -u --plugin --data
|conhost forfiles.exe pcalua bash.exe scriptrunner			768			doDoAsProxy
|conjur bws tsh-secrets keyhub akeyless thycotic	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doCloud
|conntrack	-L,--dump -G,--get -D,--delete -I,--create -U,--update -E,--event -F,--flush -C,--count -S,--stats -s,--src=_ -d,--dst=_ -p,--proto=_ -f,--family=_ -o,--output=_					doNetworkOptions
|conpty	>faketty
|console symfony doctrine doctrine-migrations	--env,-e=_ --connection=_ --force --full-database --dump-sql+inert --dry-run+inert					doMigrator
|consul	>aliyun
|consul-admin	>aliyun
|contabo	>aliyun
|continue	>claude
|control	>regsvr32
|convert magick mogrify montage									any	-write -script -define -path -authenticate
|convertfrom-securestring get-storedcredential			514			doStoreRead
|convex	>alembic
|convox	>aliyun
|cool-retro-term	>xterm
|copilot amp	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json		1024			doCopilot
|copilot-cli	>cdktf
|copy-item	-Path,-LiteralPath=_ -Destination=_ -ToSession=_ -FromSession=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doCopyItem
|corepack						doRunner
|coscli	>ossutil
|coscmd	>ossutil
|courier	>twilio
|coverage memray pyinstrument scalene viztracer						doPythonTool
|cp gcp	-t,--target-directory=_ -S,--suffix=_ -r,-R,-a,--recursive,--archive+recursive -f,--force -T -n,--no-clobber --backup?=_ --preserve?=_ --no-preserve=_ --reflink?=_ --sparse=_ -T,--no-target-directory -i,--interactive -u -u,--update?=_ -v,--verbose -b -d -H -l,--link -L,--dereference -p -P,--no-dereference -s,--symbolic-link -x,--one-file-system -Z --parents --remove-destination --strip-trailing-slashes --attributes-only -c -X --debug --keep-directory-symlink					doCopy	always
|cpack	-G=_ -C=_ -D=_ -P=_ -R=_ -B=_ --config=r --vendor=_ --preset=_					doCmake
|cpan	>luarocks
|cpanm	>luarocks
|cpio	-i,--extract -o,--create -p,--pass-through -F,--file=r -D,--directory=D -I=r -O=w --rsh-command=P -t,--list -0,--null -a,--reset-access-time -A,--append -b,--swap -B -c -C,--io-size=_ -d,--make-directories -E,--pattern-file=r -f,--nonmatching -H,--format=_ -k -l,--link -L,--dereference -m,--preserve-modification-time -M,--message=_ -n,--numeric-uid-gid -r,--rename -R,--owner=_ -s,--swap-bytes -S,--swap-halfwords -u,--unconditional -v,--verbose -V,--dot --sparse --no-absolute-filenames --absolute-filenames --quiet --to-stdout --only-verify-crc
|cppcheck	>clang-format
|cpplint	>clang-format
|cpulimit	-l,--limit=_ -p,--pid=_ -e,--exe=_ -P,--path=_ -b,--background -f,--foreground -c,--cpu=_ -k,--kill -m,--monitor-forks -i,--include-children -r,--restore -s,--signal=_ -v,--verbose -z,--lazy -q,--quiet	C	1
|cpython	>python
|cqlsh cqlsh-astra	-e,--execute=q -f,--file=_ -u=_ -p=_ -k,--keyspace=_ --cqlversion=_ --request-timeout=_				cql	doSQLClient
|cqlsh-astra	>cqlsh
|crackmapexec	>evil-winrm
|crane	--platform=_ -v,--verbose --insecure --allow-nondistributable-artifacts -t,--tag=_ -u,--username=_ -p,--password=_ --format=_ -n,--new_tag=_ -o,--output=_					doImageTool
|crash	>snowsql
|createdb	-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -D,--tablespace=_ -E,--encoding=_ -l,--locale=_ -O,--owner=_ -S,--strategy=_ -T,--template=_
|createuser	-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -c,--connection-limit=_ -g,--role,--member-of=_ -a,--with-admin=_ -m,--with-member=_ -v,--valid-until=_ -d,--createdb -D,--no-createdb -E,--encrypted -i,--inherit -I,--no-inherit --interactive -l,--login -L,--no-login -P,--pwprompt -r,--createrole -R,--no-createrole -s,--superuser -S,--no-superuser --replication
|creddump	>mimikatz
|credstash biscuit envwarden vlt						doVaultClient
|crictl	-r,--runtime-endpoint=_ -i,--image-endpoint=_ -t,--timeout=_ -c,--config=_					doEngine
	exec	-t,--tty -i,--interactive -s,--sync --timeout=_		1			doContainerExec
|croc	--yes --no-compress --remember --overwrite --debug --classic --local --ask --stdout --curve=_ --ip=_ --relay=_ --relay6=_ --pass=_ --socks5=_ --connect=_ --out=t --throttleUpload=_		1			doSendFile
|cronnext	-i=_ -e=_ -s -a -t=_ -q=_ -f -h -V
|crontab	-u=_ -r -l -e -i -T=_ -n -s -V					doCrontab
|cross-env cross-env-shell env-cmd	-f,--file=_ -e,--environments=_ -r,--rc-file=_		1			doEnvPrefix
|cross-env-shell	>cross-env
|crossplane	>aliyun
|crush	>claude
|cryptcat	>nc
|cryptsetup veracrypt	-q,--batch-mode -c=_ -s=_ -h=_ -d,--key-file=_ -T=_ --type=_ --header=o --header-backup-file=w --json-file=w --new-keyfile=r --master-key-file,--volume-key-file=r --progress-frequency=_					doCryptsetup
|crystal					ruby
	eval		e*			ruby
	run		x			ruby
|cscript	>wscript
|csh tcsh	-n+inert		1			doShell
|csharprepl	>dotnet-script
|csi	-e,-eval=e -p,-print=e -P,-pretty-print=e -s,-script=x -ss=x -R,-require-extension=_ -I,-include-path=D -D,-feature=_ -K,-keyword-style=_ -b,-batch -n,-no-init -q,-quiet -w,-no-warnings -i,-case-insensitive -version -release		3		lisp	doScriptFile
|csplit gcsplit	-f,--prefix=w -b,--suffix-format=_ -n,--digits=_ -k,--keep-files -q,-s,--quiet,--silent -z,--elide-empty-files --suppress-matched	r _*
|csrutil	>setenforce
|ctest	-C,--build-config=_ -R,--tests-regex=_ -E,--exclude-regex=_ -L,--label-regex=_ -LE,--label-exclude=_ -I,--tests-information=_ -D,--dashboard=_ -T,--test-action=_ -M,--test-model=_ -S,--script=r -SP,--script-new-process=x -A,--add-notes=r -O,--output-log=w -j,--parallel=_ --timeout=_ --test-dir=_ --preset=_ --output-junit=w --repeat=_ --extra-submit=U --resource-spec-file=r		2			doCmake
|ctr	-n,--namespace=_ -a,--address=_ --debug --connect-timeout=_ --timeout=_					doEngine
|curl curlie	--abstract-unix-socket=_ --alt-svc=_ --aws-sigv4=_ --cacert=_ --capath=_ -E,--cert=_ --cert-type=_ --ciphers=_ -K,--config=_ --connect-timeout=_ --connect-to=_ -C,--continue-at=_ -b,--cookie=_ -c,--cookie-jar=w --create-file-mode=_ --crlfile=_ --curves=_ -d,--data,--data-ascii=_ --data-binary=_ --data-raw=_ --data-urlencode=_ --delegation=_ --dns-interface=_ --dns-ipv4-addr=_ --dns-ipv6-addr=_ --dns-servers=_ --doh-url=_ -D,--dump-header=w --ech=_ --egd-file=_ --engine=_ --etag-compare=_ --etag-save=w --expect100-timeout=_ -F,--form=_ --form-string=_ --ftp-account=_ --ftp-alternative-to-user=_ --ftp-method=_ -P,--ftp-port=_ --ftp-ssl-ccc-mode=_ --happy-eyeballs-timeout-ms=_ --haproxy-clientip=_ -H,--header=_ --hostpubmd5=_ --hostpubsha256=_ --hsts=_ --interface=_ --ip-tos=_ --ipfs-gateway=_ --json=_ --keepalive-time=_ --keepalive-cnt=_ --key=_ --key-type=_ --krb=_ --libcurl=w --limit-rate=_ --local-port=_ --login-options=_ --mail-auth=_ --mail-from=_ --mail-rcpt=_ --max-filesize=_ --max-redirs=_ -m,--max-time=_ --netrc-file=_ --noproxy=_ --oauth2-bearer=_ -o,--output=_ --output-dir=_ --parallel-max=_ --parallel-max-host=_ --pass=_ --pinnedpubkey=_ --preproxy=_ --proto=_ --proto-default=_ --proto-redir=_ -x,--proxy=_ --proxy-cacert=_ --proxy-capath=_ --proxy-cert=_ --proxy-cert-type=_ --proxy-ciphers=_ --proxy-crlfile=_ --proxy-header=_ --proxy-key=_ --proxy-key-type=_ --proxy-pass=_ --proxy-pinnedpubkey=_ --proxy-service-name=_ --proxy-tls13-ciphers=_ --proxy-tlsauthtype=_ --proxy-tlspassword=_ --proxy-tlsuser=_ -U,--proxy-user=_ --proxy1.0=_ --pubkey=_ -Q,--quote=_ --random-file=_ -r,--range=_ --rate=_ -e,--referer=_ -X,--request=_ --request-target=_ --resolve=_ --retry=_ --retry-delay=_ --retry-max-time=_ --sasl-authzid=_ --service-name=_ --sigalgs=_ --socks4=_ --socks4a=_ --socks5=_ --socks5-gssapi-service=_ --socks5-hostname=_ -Y,--speed-limit=_ -y,--speed-time=_ --stderr=w -t,--telnet-option=_ --tftp-blksize=_ -z,--time-cond=_ --tls-max=_ --tls13-ciphers=_ --tlsauthtype=_ --tlspassword=_ --tlsuser=_ --trace=w --trace-ascii=w --trace-config=_ --unix-socket=_ -T,--upload-file=_ --url=_ --url-query=_ -u,--user=_ -A,--user-agent=_ --variable=_ --vlan-priority=_ -w,--write-out=_ -O,--remote-name --remote-name-all -G,--get -I,--head -h,--help+inert -M,--manual+inert -V,--version+inert -J,--remote-header-name					doCurl
|curlie	>curl
|cursor	>claude
|cursor-agent	>claude
|cut gcut	-d,--delimiter=_ -f,--fields=_ -c,--characters=_ -b,--bytes=_ --output-delimiter=_ -n -s,--only-delimited --complement -z,--zero-terminated -w					doCut	always
|cwebp	>optipng
|cypher-shell	-a,--address,--uri=_ -u,--username=_ -p,--password=_ -d,--database=_ -f,--file=_ --format=_ -P,--param=_					doCypher
|cypress	>pytest
|d2	>antora
|d8	-e=e --module -h --version --shell --allow-natives-syntax --harmony --stack-size=_		1		js	doScriptFile
|daemonize	-c=_ -e=_ -E=_ -o=_ -p=_ -l=_ -u=_ -a -v	C	1
|dagster	>aliyun
|darcs	>bzr
|dart flutter								info *	run	--web-hostname --vmservice-out-file --target-platform --use-application-binary --dds-port --disable-service-auth-codes --local-*
	pub
		publish lish	-n,--dry-run+inert -f,--force			8
		uploader				1
		add upgrade downgrade	-n,--dry-run+inert			128
		global
			activate				128
			list run deactivate
		get deps outdated cache
|dasel	-f,--file=r -s,--selector=_ -r,--read=_ -w,--write=_ -o,--out=w -v,--value=_ -t,--type=_ --indent=_ -i=_ -p,--parser=_ -m,--multiple -n,--null -c,--compact --plain --colour,--color --merge-input-documents --pretty --root --escape-html	_ r*
	select put delete query	-f,--file=r -s,--selector=_ -r,--read=_ -w,--write=_ -o,--out=w -v,--value=_ -t,--type=_ -p,--parser=_ -i,--in=_ -m,--multiple -n,--null -c,--compact --plain --colour,--color
|dash	>sh
|dashlane	>bw
|databricks	>aliyun
|databricks-sql	>snowsql
|datadog-ci	>aliyun
|date	-s,--set=_ -d,--date=_ -r,--reference=_ -f,--file=r -I?=_ -u -R -j					doDate	options			-s --set
|db-migrate	>alembic
|db2	-f=_ -l=a -z=a -r=w -v -t -x -n -s -m -o -p -q -a -c -w -i -e=_ -d -b -y	q*			db2	doSQLClient
|dbaccess	>snowsql
|dbcli	>snowsql
|dbclient	>ssh
|dbdeploy	>alembic
|dbmate	>alembic
|dbt	--profiles-dir,--project-dir,--profile,-t,--target,-s,--select,-m,--models,--exclude,--selector,--vars,--args,--state,--threads,--log-path,--target-path=_					doDbt			compile parse ls list docs	--profiles-dir --project-dir --target -t --profile
|dbtcloud	>aliyun
|dbus-launch	--auto-syntax --binary-syntax --sh-syntax --csh-syntax --close-stderr --exit-with-session --exit-with-x11 --autolaunch=_ --config-file=r	C	1
|dbus-run-session	--config-file=r --dbus-daemon=P	C	1
|dc	-e,--expression=_ -f,--file=r	r*				doMacros
|dc3dd	>dd
|dcfldd	>dd
|dcg	>cc-safety-net
|dcli	>bw
|dd gdd dcfldd dc3dd			4			doDD
|dd_rescue	>dump
|ddrescue	>dump
|debugfs	-R=_ -f=r -b=_ -s=_ -d=_ -z=w					doMount
|deck	>aliyun
|deepin-terminal	>xterm
|defaults						doDefaults
|del	/s+recursive /q+force /f+force /p /a		544			doDel
|del-cli	-f,--force -d,--dry-run+inert					doRimraf
|delgroup	>useradd
|delpart addpart resizepart e2label						doMount
|delta	--features=_ --syntax-theme=_ --paging=_ --pager=P --config=r --width,-w=_ --tabs=_ --max-line-length=_ --diff-args,-@=_ --default-language=_ --true-color=_ --line-numbers-left-format=_ --line-numbers-right-format=_ --file-style=_ --hunk-header-style=_ --wrap-max-lines=_ --map-styles=_ --hyperlinks-file-link-format=_ -n,--line-numbers -s,--side-by-side --dark --light --navigate --hyperlinks --color-only --keep-plus-minus-markers --diff-highlight --diff-so-fancy --no-gitconfig --raw --relative-paths --show-config --list-languages --list-syntax-themes --show-syntax-themes --parse-ansi	r*
|deltree	/y+force		544			doDel
|deluser	>useradd
|delv	-4 -6 -a=r -b=_ -c=_ -d=_ -h -i -m -p=_ -q=_ -t=_ -v -x=_					doLookup
|deno	--config=_ -L,--log-level=_		1		js	doStdinScript		info *
	publish	--dry-run+inert --token=_			8
	eval	--ext=_ -p,--print --cert=_ -c,--config=_	e	1		js
	run serve	--ext=_ --cert=_ -c,--config=_ --import-map=_ --lock=_ --port=_ --host=_ --v8-flags?=_ --preload,--import=x		1		js	doDenoRun
	task			1			doDenoTask
	test bench					js
	check lint fmt info doc cache					js
|dep	>cap
|deploy-rs	>cap
|deployer	>cap
|deta	>aliyun
|detach	>eatmydata
|detox									build test
|devcontainer	>ninja
|devin	>claude
|devspace	>aliyun
|devtunnel	>localxpose
|df	-a,--all -B,--block-size=_ -h,--human-readable -H,--si -i,--inodes -k -m -g -l,--local --no-sync --sync --output?=_ -P,--portability --total -t,--type=_ -T,--print-type -x,--exclude-type=_ -v	_*					always
|dgraph	>snowsql
|dhclient	>ifconfig
|diesel	>alembic
|diff gdiff	--diff-program=P --from-file=r --to-file=r -I,--ignore-matching-lines=_ -x,--exclude=_ -X,--exclude-from=r -U,-C=_ --unified,--context?=_ -S,--starting-file=_ -W,--width=_ -D,--ifdef=_ -F,--show-function-line=_ -L,--label=_ --horizon-lines=_ --tabsize=_ --palette=_ --color?=_ --difftype=_ --old-line-format=_ --new-line-format=_ --unchanged-line-format=_ --line-format=_ --old-group-format=_ --new-group-format=_ --unchanged-group-format=_ --changed-group-format=_ -a,--text -b,--ignore-space-change -B,--ignore-blank-lines -c -d,--minimal -e,--ed -E,--ignore-tab-expansion -H,--speed-large-files -i,--ignore-case --ignore-file-name-case -l,--paginate -n,--rcs -N,--new-file -p,--show-c-function -P,--unidirectional-new-file -q,--brief -r,--recursive -s,--report-identical-files -t,--expand-tabs -T,--initial-tab -u -v+inert -w,--ignore-all-space -y,--side-by-side -Z,--ignore-trailing-space --left-column --suppress-common-lines --strip-trailing-cr --no-dereference --normal					doDiff	options
|diff3	-L,--label=_ --diff-program=P -a,--text -A,--show-all -e,--ed -E,--show-overlap -i -m,--merge -T,--initial-tab -x,--overlap-only -X -3,--easy-only --strip-trailing-cr	r*					options
|difft	--context=_ --width=_ --tab-width=_ --display=_ --color=_ --background=_ --syntax-highlight=_ --language=_ --override=_ --override-binary=_ --byte-limit=_ --graph-limit=_ --parse-error-limit=_ --sort-paths=_ --strip-cr=_ --check-only --exit-code --ignore-comments --skip-unchanged --list-languages --missing-as-empty	r*
|dig	-4 -6 -b=_ -c=_ -f=r -k=r -m -p=_ -q=_ -r -t=_ -u -v -x=_ -y=_ -h					doLookup
|dir	>ls
|dirb	-a=_ -b -c=_ -f -H=_ -i -l -N=_ -o=w -p=_ -P=_ -r -R -S -t -u=_ -v -w -x=r -X=_ -z=_ -E=r	u r	2			doIntrusion
|dirbuster	-H -l=r -r=w -e=_ -t=_ -s=_ -g -P -R -u=u -v		2			doIntrusion
|directus	>alembic
|direnv
	exec		_ C	1			doDirenvExec
	allow permit grant reload export						doDirenvAllow
|dirname gdirname	-z,--zero					doDirname	always
|disable-adaccount	>new-localuser
|disable-bitlocker	>set-mppreference
|disable-computerrestore	>set-mppreference
|disable-localuser	>new-localuser
|disable-netadapter remove-netroute remove-netipaddress set-dnsclientserveraddress	-Name=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doNetAdapter
|disable-netfirewallrule	>set-mppreference
|disable-scheduledtask	>register-scheduledtask
|disable-service	>stop-service
|disable-windowsoptionalfeature	>set-mppreference
|discordo	>slackcat
|diskpart	/s=_		544			doDiskpart
|diskshadow			544			doShadow
|diskutil						doDiskutil
|dismount-vhd	>remove-vm
|django-admin	>manage.py
|django-admin.py	>manage.py
|djlint	>air
|dkms	>kmod
|dmesg	-C,--clear -c,--read-clear -D,--console-off -d,--show-delta -E,--console-on -e,--reltime -F,--file=r -f,--facility=_ -H,--human -k,--kernel -J,--json -L,--color?=_ -l,--level=_ -n,--console-level=_ -P,--nopager -p,--force-prefix -r,--raw -S,--syslog -s,--buffer-size=_ -T,--ctime -t,--notime -u,--userspace -V -w,--follow -W,--follow-new -x,--decode --time-format=_ --since=_ --until=_					doDmesg	always
|dmidecode	-d,--dev-mem=r -q,--quiet -s,--string=_ -t,--type=_ -H,--handle=_ -u,--dump --dump-bin=w --from-dump=r --no-sysfs --oem-string=_ -V	_*
|dmsetup						doDmsetup
|dnf dnf5 yum	-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_		2048			doSystemPackages		search *,info *,list *,provides *,repolist		-c --config -o --option --installroot --setopt --root -R
|dnf-config-manager	>apt-key
|dnf5	>dnf
|dnscat	>localtunnel
|dnscat2	>localtunnel
|dnscontrol	>aliyun
|dnslookup	>nslookup
|dnsrecon	-d,--domain=_ -n,--name_server=_ -r,--range=_ -D,--dictionary=r -f -a -s -b -y -k -w -z --threads=_ --lifetime=_ --tcp --db=w -x,--xml=w -c,--csv=w -j,--json=w --iw --disable_check_recursion --disable_check_bindversion -V -v,--verbose -t,--type=_		2			doIntrusion
|dnsx	-l,-list=r -d,-domain=_ -w,-wordlist=r -a -aaaa -cname -ns -txt -srv -ptr -mx -soa -any -axfr -caa -recon -e,-exclude-type=_ -re,-resp -ro,-resp-only -rc,-rcode=_ -cdn -asn -t,-threads=_ -rl,-rate-limit=_ -o,-output=w -j,-json -silent -v,-verbose -r,-resolver=_ -retry=_ -trace -resume -proxy=_ -wt,-wildcard-threshold=_ -wd,-wildcard-domain=_ -hf,-hostsfile -stream		2			doLookup
|doas	-u=_ -C=_ -a=_ -s -n -L		1			doDoas
|docformatter	>air
|docker docker.io podman nerdctl finch lima-nerdctl podman-remote	-H,--host=_ -c,--context=_ --config=_ -l,--log-level=_ --tlscacert=_ --tlscert=_ --tlskey=_ --namespace,-n=_ --connection=_ --url=_ --root=_ --storage-driver=_ --storage-opt=_ --runroot=_ --tmpdir=_ --cgroup-manager=_ --events-backend=_ --identity=_ --module=_ --address,-a=_ --snapshotter=_ --data-root=_ --hosts-dir=_ -D,--debug --tls --tlsverify -r,--remote -v+inert					doEngine
	run create	-v,--volume=_ --mount=_ -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_		1			doContainerRun
	exec	-i,--interactive -t,--tty -d,--detach -l,--latest -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ --detach-keys=_ --privileged		1			doContainerExec
	rm remove	-f,--force -v,--volumes -l,--link -a,--all					doContainerRemove
	kill stop restart pause	-s,--signal=_ -t,--time=_ -a,--all					doContainerStop
	build b	-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push					doImageBuild
	cp						doContainerCopy
	push						doImagePush
	container						doNothing
		run create	-v,--volume=_ --mount=_ -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_		1			doContainerRun
		exec	-i,--interactive -t,--tty -d,--detach -l,--latest -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ --detach-keys=_ --privileged		1			doContainerExec
		rm remove	-f,--force -v,--volumes -l,--link -a,--all					doContainerRemove
		kill stop restart pause	-s,--signal=_ -t,--time=_ -a,--all					doContainerStop
		prune	-f,--force -a,--all --filter=_ --volumes					doPrune
		cp						doContainerCopy
		inspect	-f,--format=_ --type=_ -s,--size					doInspect
	inspect	-f,--format=_ --type=_ -s,--size					doInspect
	image						doNothing
		prune	-f,--force -a,--all --filter=_ --volumes					doPrune
		rm remove delete	-f,--force -a,--all					doEngineRemove
		build b	-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push					doImageBuild
		push						doImagePush
	volume						doNothing
		prune	-f,--force -a,--all --filter=_ --volumes					doPrune
		rm remove delete	-f,--force -a,--all					doEngineRemove
	network						doNothing
		prune	-f,--force -a,--all --filter=_ --volumes					doPrune
		rm remove delete	-f,--force -a,--all					doEngineRemove
	system						doNothing
		prune	-f,--force -a,--all --filter=_ --volumes					doPrune
		reset						doEngineReset
	builder buildx						doNothing
		prune	-f,--force -a,--all --filter=_ --volumes					doPrune
		build b	-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push					doImageBuild
		rm						doNothing
	compose	-f,--file=_ -p,--project-name=_ --profile=_ --env-file=_ --project-directory=_ --ansi=_ --progress=_ --parallel=_ --dry-run+inert -c,--context=_					doComposeNone
		down	-v,--volumes --rmi=_ -t,--timeout=_ --dry-run+inert					doComposeDown
		rm	-f,--force -s,--stop -v,--volumes					doComposeDown
		exec	-e,--env=_ -w,--workdir=_ -u,--user=_ --index=_ -T,--no-TTY,--no-tty -i,--interactive -t,--tty -d,--detach --privileged		1			doContainerExec
		run	-v,--volume=_ --mount=_ -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_ -T,--no-TTY,--no-tty --no-deps --build --use-aliases --service-ports --remove-orphans --quiet-pull --quiet-build		1			doComposeRun
		kill						doComposeFar
		up start create restart watch	-d,--detach --build --wait -V,--renew-anon-volumes --force-recreate --no-deps --remove-orphans --scale=_ --exit-code-from=_ --attach=_ --no-attach=_ -t,--timeout=_ --pull=_ --abort-on-container-exit --quiet-pull --no-build --no-start --no-recreate --menu -w,--watch --wait-timeout=_ -y,--yes					doComposeUp
	stack service node swarm secret config plugin pod machine context manifest						doEngine
	rmi						doEngineRemove
	unshare		C	1
|docker-compose podman-compose nerdctl-compose	-f,--file=_ -p,--project-name=_ --profile=_ --env-file=_ --project-directory=_ --ansi=_ --progress=_ --parallel=_ --dry-run+inert -c,--context=_					doComposeNone
	down	-v,--volumes --rmi=_ -t,--timeout=_ --dry-run+inert					doComposeDown
	rm	-f,--force -s,--stop -v,--volumes					doComposeDown
	exec	-e,--env=_ -w,--workdir=_ -u,--user=_ --index=_ -T,--no-TTY,--no-tty -i,--interactive -t,--tty -d,--detach --privileged		1			doContainerExec
	run	-v,--volume=_ --mount=_ -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_ -T,--no-TTY,--no-tty --no-deps --build --use-aliases --service-ports --remove-orphans --quiet-pull --quiet-build		1			doComposeRun
	kill						doComposeFar
	up start create restart watch	-d,--detach --build --wait -V,--renew-anon-volumes --force-recreate --no-deps --remove-orphans --scale=_ --exit-code-from=_ --attach=_ --no-attach=_ -t,--timeout=_ --pull=_ --abort-on-container-exit --quiet-pull --no-build --no-start --no-recreate --menu -w,--watch --wait-timeout=_ -y,--yes					doComposeUp
|docker-credential-desktop	>docker-credential-osxkeychain
|docker-credential-ecr-login	>docker-credential-osxkeychain
|docker-credential-gcloud	>docker-credential-osxkeychain
|docker-credential-osxkeychain docker-credential-secretservice docker-credential-pass docker-credential-wincred docker-credential-desktop docker-credential-ecr-login docker-credential-gcloud git-credential-osxkeychain git-credential-manager git-credential-manager-core git-credential-store git-credential-cache git-credential-libsecret git-credential-wincred						doCredentialHelper
|docker-credential-pass	>docker-credential-osxkeychain
|docker-credential-secretservice	>docker-credential-osxkeychain
|docker-credential-wincred	>docker-credential-osxkeychain
|docker.io	>docker
|doctl	>aliyun
|doctoc	>antora
|doctrine	>console
|doctrine-migrations	>console
|docusaurus vitepress vuepress									build start serve clear dev preview	--host --config
|dog	-q,--query=_ -t,--type=_ -n,--nameserver=_ --class=_ --edns=_ --txid=_ -Z=_ -U,--udp -T,--tcp -S,--tls -H,--https -1,--short -J,--json --color,--colour=_ --seconds --time -v					doLookup
|doggo	-q,--query=_ -t,--type=_ -n,--nameserver=_ -c,--class=_ -x,--reverse --any -6,--ipv6 -4,--ipv4 --ndots=_ --search --timeout=_ --strategy=_ --skip-hostname-verification --tls-hostname=_ -J,--json --short --color --debug --time --gp-from=_ --gp-limit=_					doLookup
|doit	>ninja
|dokku	>aliyun
|doppler infisical teller phase berglas	-p,--project=_ -c,--config=_ -t,--token=_ --scope=_					doCloud
	run exec	-p,--project=_ -c,--config=_ -t,--token=_ --command=c --env=_ --path=_ --projectId=_		1			doAfterDash
|dos2unix unix2dos mac2unix unix2mac	-c,--convmode=_ -i,--info?=_ -D,--display-enc=_ -ascii -iso -437 -850 -b,--keep-bom -e,--add-eol -f,--force -F,--follow-symlink -k,--keepdate -l,--newline -m,--add-bom -n,--newfile -N -o,--oldfile -q,--quiet -r,--remove-bom -R,--replace-symlink -s,--safe -S,--skip-symlink -u,--keep-utf16 -v,--verbose	o*
|dot	>antora
|dotenv dotenvx dotenv-vault dotenv-cli	-f,-e,--env-file,--file=_ -q,--quote=_ -p=_ -v=_ -fv=_ --convention=_ -c		1			doDotenv
|dotenv-cli	>dotenv
|dotenv-vault	>dotenv
|dotenvx	>dotenv
|dotnet	-c,--configuration=_ -f,--framework=_ -o,--output=_ -r=_ -s,--source=_ -k,--api-key=_ --project=_ -p=_ -v=_					doDotnet		list *,search *,--list-sdks,--list-runtimes,--info
	user-secrets
		list				64
		clear remove				2
		set init
|dotnet-fsi	>dotnet-script
|dotnet-script dotnet-fsi csharprepl fsi	-c=_ -d -i		1		csharp	doScriptFile
	eval		e			csharp
|dotool	>xdotool
|doxygen	>clang-format
|dpaste	>pastebinit
|dpkg	-i,--install,-U,-F,--upgrade -r,--remove,-e,--erase -P,--purge --force-all,--nodeps,--force+force --force-depends,--force-remove-essential,--force-remove-reinstreq+force -l,--list -L,--listfiles -S,--search -q,--query -a,--all -s,--status -V --import --root=_ --configure -c,--contents -I,--info -x,--extract -X --no-act,--dry-run,--simulate,--test+inert --nosignature,--nogpgcheck,--nodigest+skips-check					doDpkg
|dpkg-query	-f,--showformat=_ --admindir=_ --root=_ -W,--show -l,--list -L,--listfiles -s,--status -S,--search -p,--print-avail -c,--control-path --load-avail	_*
|dploot	>mimikatz
|dracut	-f,--force -v,--verbose -q,--quiet -m,--modules=_ -o,--omit=_ -a,--add=_ --force-add=_ -d,--drivers=_ --add-drivers=_ --force-drivers=_ --omit-drivers=_ --filesystems=_ -k,--kmoddir=_ --fwdir=_ --kver=_ --libdirs=_ --no-kernel --kernel-only --strip --hostonly,-H --no-hostonly,-N --hostonly-cmdline --persistent-policy=_ --fstab --add-fstab=_ --mount=_ --device=_ -i,--include=_ -I,--install=_ -c,--conf=r --confdir=D --tmpdir=t -r,--sysroot=D -l,--local -L,--stdlog=_ --logfile=w --list-modules -M,--show-modules --keep --printsize --gzip --bzip2 --lzma --xz --lz4 --zstd --compress=_ --regenerate-all --rebuild --noimageifnotneeded --uefi --uefi-stub=r --kernel-cmdline=_ --kernel-image=r --debug --profile					doBoot
|dragonfly-cli	>redis-cli
|drill	-D -T -S -I=_ -4 -6 -a -b=_ -c=r -d=r -f=r -i=r -k=r -p=_ -r=r -s -t -u -v -V=_ -w=w -x -y=_ -z -h					doLookup
|drizzle-kit	>alembic
|droid	>claude
|drone	>aliyun
|dropbear-send	>transfer.sh-cli
|dropdb	-h,--host=_ -p,--port=_ -U,--username=_ --maintenance-db=_ -f,--force -i,--interactive -V+inert -?+inert -e,--echo --if-exists -w,--no-password -W,--password					doDropdb
|dropuser	-h,--host=_ -p,--port=_ -U,--username=_ -V+inert -?+inert -e,--echo --if-exists -w,--no-password -W,--password -i,--interactive					doDropuser
|drush	>alembic
|dscl	>useradd
|dseditgroup	-o=_ -p -q -v -m=_ -n=_ -u=_ -P=_ -a=_ -d=_ -t=_ -i=_ -g=_ -r=_ -k=_ -c=_ -s=_ -S=_ -f=_ -L -T=_					doUsers
|dsh	>pdsh
|dtach	-e=_ -r=_ -a=_ -A=_ -c=_ -n=_ -N=_ -p=_ -E -z	C	1
|dtc	>clang-format
|du gdu	-d,--max-depth=_ -t,--threshold=_ -B,--block-size=_ -I=_ --exclude=_ -X,--exclude-from=r --files0-from=r --time?=_ --time-style=_ -a,--all --apparent-size -b,--bytes -c,--total -D,--dereference-args -h,--human-readable --inodes -k -l,--count-links -L,--dereference -m -P,--no-dereference -S,--separate-dirs --si -s,--summarize -x,--one-file-system -0,--null -H -g -A -n -r	i*					always
|dub	>luarocks
|duckdb	-c=q -s=q -f=_ -init=_ -cmd=q -separator=_ -nullvalue=_		2		duckdb	doSQLite
|duk	-i -e,--eval=e -b -c=w --run-stdin --no-heap-destroy --no-auto-complete --recreate-heap		1		js	doScriptFile
|dumb-init	-r,--rewrite=_	C	1
|dump restore xfsdump xfsrestore e2image partclone.ext4 partclone.restore ntfsclone partimage fsarchiver ddrescue dd_rescue	-F=P -Q=w -E=r -D=w					doImage
|dumpcap	-i=_ -f=_ -s=_ -p -I -B=_ -y=_ -D -L -d -k=_ -S -c=_ -a=_ -b=_ -n -P -w=w --ifname=_ --ifdescr=_ --capture-comment=_ --temp-dir=t -g -q -M -N=_ -C=_ -t -Z=_ -v					doCapture
|dune									build test runtest fmt clean describe	--workspace --root
|duplicacy	-r=_ -id=_ -t=_ -a,-all -keep=_ -exclusive -exhaustive -dry-run+inert -d -delete -threads=_ -storage=_ -vss -stats -hash -overwrite -limit-rate=_ -files -chunks -e,-encrypt -from=_ -to=_ -ignore-owner -collect-only -delete-only		2			doBackup
|duplicity	--dry-run+inert --force --encrypt-key=_ --sign-key=_ --exclude=_ --include=_ --exclude-filelist=r --include-filelist=r --full-if-older-than=_ --archive-dir=t --name=_ --volsize=_ --no-encryption --progress -v,--verbosity=_ -t,--time,--restore-time=_ --file-to-restore,--path-to-restore=_ --tempdir=t --rsync-options=_ --ssh-options=_ --log-file=w --num-retries=_ --use-agent --gpg-options=_					doBackup
|dvc	-r,--remote,-j,--jobs,-o,--out,--rev,--num=_ -q,--quiet,-v,--verbose,--dry					doDvc			status repro diff dag metrics params plots pull fetch version doctor	-f --force --cd
|dwebp	>optipng
|e2fsck fsck.ext4 fsck.ext3 fsck.ext2	-b=_ -B=_ -C=_ -E=_ -j=_ -l=r -L=r -z=w -n					doMount
|e2image	>dump
|e2label	>delpart
|eas	>aliyun
|easy_install						doInstallOnly
|eatmydata catchsegv primusrun prime-run please rtk with-contenv detach		C	1
|eb	>aliyun
|ebtables	-F,--flush?=_ -X,--delete-chain?=_ -Z?=_ -A,--append=_ -D,--delete=_ -L,--list?=_ -p=_ -s=_ -d=_ -i=_ -o=_ -N=_ -C=_ --change-counters=_ --new-chain=_ -c,--set-counters=_ -M,--modprobe=P					doFirewall
|echo	>seq
|ecl	--eval,-eval=e --load,-load=x --shell,-shell=x --compile,-compile=r -o=w -norc -dir=D -q --version		1		lisp	doScriptFile
|ecs-cli	>aliyun
|ed	-p,--prompt=_ -s -r,--restricted -E,--extended-regexp -G,--traditional -l,--loose-exit-status -q,--quiet,--silent -v,--verbose --strip-trailing-cr	o			ed	doEditor
|edb-psql	>psql
|edgedb	>snowsql
|efibootmgr	-a,--active -A,--inactive -b,--bootnum=_ -B,--delete-bootnum -c,--create -C,--create-only -d,--disk=_ -D,--remove-dups -e,--edd=_ -E,--device=_ -f,--reconnect -F,--no-reconnect -g,--gpt -i,--iface=_ -I,--index=_ -l,--loader=_ -L,--label=_ -m,--mirror-below-4G=_ -M,--mirror-above-4G=_ -n,--bootnext=_ -N,--delete-bootnext -o,--bootorder=_ -O,--delete-bootorder -p,--part=_ -q,--quiet -r,--driver -t,--timeout=_ -T,--delete-timeout -u,--unicode -v,--verbose -V -w,--write-signature -y,--sysprep -@,--append-binary-args=r					doBoot
|egrep	>grep
|eksctl	>aliyun
|elasticdump	--input=_ --output=U --type,--limit,--headers,--searchBody,--transform=_
|electron	>node
|electron-builder	-p,--publish,-c,--config,--projectDir,--project=_					doElectronBuilder
|elinks	>links
|elixir iex	-e,--eval=e --rpc-eval=_ -r=x -S=_ -pr=_ -pa=_ --sname=_ --name=_ --cookie=_		1		elixir	doScriptFile
|elvish	>nu
|emacs	--eval,-eval,--execute,-execute,-e=e -l,-load,--load,-script,--script,-x=x -f,-funcall,--funcall=_ -d,--display=_ --directory,-L=_ --insert,-insert=r -chdir,--chdir=D -u,-user,--user=_ -t,--terminal=_ -init-directory,--init-directory=_ -g,-geometry,--geometry=_ -fn,--font=_ -name,--name=_ -title,-T,--title=_ -Q,--quick -q,--no-init-file -nw,--no-window-system --batch,-batch --daemon,-daemon,--bg-daemon,--fg-daemon --debug-init --no-site-file --no-site-lisp --no-splash --no-desktop --kill,-kill --fullscreen,-fs --maximized,-mm --reverse,-r -fh,--fullheight -fw,--fullwidth -bg,--background-color=_ -fg,--foreground-color=_ -xrm=_	r*	2		lisp
|emacsclient	-e,--eval=e -a,--alternate-editor=P -s,--socket-name=_ -f,--server-file=_ -d,--display=_ -F,--frame-parameters=_ -T,--tramp=_ --parent-id=_ -c,--create-frame -r,--reuse-frame -n,--no-wait -nw,-t,--tty,--nw -q,--quiet -u,--suppress-output	r*			lisp
|ember	>air
|emerge	-s,--search+inert -S,--searchdesc+inert -p,--pretend+inert -C,--unmerge -c,--depclean -a,--ask -u,--update -D,--deep -N,--newuse -U,--changed-use -v,--verbose -q,--quiet -1,--oneshot -n,--noreplace -e,--emptytree -f,--fetchonly -k,--usepkg -K,--usepkgonly -g,--getbinpkg -G,--getbinpkgonly -b,--buildpkg -B,--buildpkgonly -O,--nodeps -o,--onlydeps -t,--tree -l,--load-average=_ -j,--jobs?=_ -x,--exclude=_ --root=_ --sync --config --info+inert					doSystemPackages
|empty			256			doEmpty
|emqx	>aliyun
|emqx_ctl	>aliyun
|emulator			2
|enable-localuser	>new-localuser
|enable-psremoting	>register-scheduledtask
|entr	-a -c -d -n -p -r -s -x -z		1			doEntr
|enum4linux	-U -M -S -P -G -d -u=_ -p=_ -a -r -R=_ -K=_ -l -s=r -k=_ -o -i -w=_ -n -v -A		2			doIntrusion
|env genv	-u,--unset=_ -C,--chdir=_ -S,--split-string=_ -P=_ -L=_ -U=_ -i,--ignore-environment -0,--null -v,--debug --list-signal-handling --block-signal?=_ --default-signal?=_ --ignore-signal?=_		1			doEnv
|env-cmd	>cross-env
|envchain		_ C	1
|envdir	-f=_ -m -p=_	_ C	1
|envoyer	>aliyun
|envuidgid		_ C	1
|envwarden	>credstash
|eopkg	>apt-get
|erb_lint	>brakeman
|erblint	>brakeman
|erl	-eval=e -s=_ -run=_ -name=_ -sname=_ -setcookie=_		2		erlang
|esbuild	>pytest
|escript sage picolisp io	-e,--eval,-E,--batch-string,-batch=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e		1		script	doScriptFile
|esentutl ntdsutil			768			doHiveDump
|eslint	>pytest
|esmtp	>sendmail
|esno	>ts-node
|espefuse	>espefuse.py
|espefuse.py espefuse	-p,--port=_ -b,--baud=_ -c,--chip=_ --do-not-confirm
	burn_efuse burn-efuse burn_key burn-key burn_key_digest burn-key-digest burn_block_data burn-block-data burn_bit burn-bit burn_custom_mac burn-custom-mac set_flash_voltage set-flash-voltage write_protect_efuse write-protect-efuse read_protect_efuse read-protect-efuse				4
	summary dump get_custom_mac get-custom-mac adc_info adc-info check_error check-error
|esptool	>esptool.py
|esptool.py esptool	-p,--port=_ -b,--baud=_ -c,--chip=_ --before,--after=_
	erase_flash erase-flash erase_region erase-region				2
	read_flash read-flash dump_mem dump-mem		_ _ w*
	write_flash write-flash flash_id flash-id chip_id chip-id read_mac read-mac image_info image-info elf2image verify_flash verify-flash merge_bin merge-bin run version get_security_info
|esxcli	>aliyun
|et	>ssh
|etcdadm	>aliyun
|etcdctl	--endpoints=_ --cacert=_ --cert=_ --key=_ --user=_ --prefix --from-key --data-dir=_ -w=_					doEtcd
	lock		_ C	1
|ethtool brctl resolvectl						doNetworkOptions
|ettercap	-M,--mitm=_ -o,--only-mitm -b,--broadcast -B,--bridge=_ -p,--nopromisc -S,--nosslmitm -u,--unoffensive -r,--read=r -w,--write=w -f,--pcapfilter=_ -R,--reversed -t,--proto=_ -T,--text -q,--quiet -s,--script=_ -C,--curses -D,--daemon -G,--gtk -d,--dns -V,--visual=_ -e,--regex=_ -E,--ext-headers -Q,--superquiet -i,--iface=_ -I,--liface -Y,--secondary=_ -n,--netmask=_ -A,--address=_ -P,--plugin=_ -F,--filter=r -z,--silent -j,--load-hosts=r -k,--save-hosts=w -L,--log=w -l,--log-info=w -m,--log-msg=w -c,--compress -a,--config=r		2			doIntrusion
|evans	--host=h -p,--port=_ --path=_ --package=_ --service=_ --proto=_ --header=_ --cacert=r --cert=r --certkey=r --servername=_ --web -r,--reflection -t,--tls -s,--silent -e,--edit --edit-global --verbose
|evil-winrm psexec.py wmiexec.py smbexec.py atexec.py impacket-psexec impacket-wmiexec crackmapexec nxc netexec xfreerdp rdesktop winexe		h				doIntrusion
|ex	-c,--cmd=_ -u=x -S=x -s -t=_ -w=_ -e -E -R -v -V?=_ -n -r -F	o			ed	doEditor
|exa eza	-I,--ignore-glob=_ -L,--level=_ -s,--sort=_ -t,--time=_ -w,--width=_ --time-style=_ --color,--colour?=_ --color-scale,--colour-scale?=_ --color-scale-mode=_ --icons?=_ --hyperlink --absolute?=_ -d,--list-dirs,--treat-dirs-as-files --group-directories-last --smart-group --no-quotes --mounts -X,--dereference -Z,--context -O,--flags -o --git-repos --git-repos-no-status --total-size --show-symlinks --no-symlinks --stdin -1,--oneline -l,--long -G,--grid -x,--across -R,--recurse -T,--tree -F,--classify -a,--all -A,--almost-all -r,--reverse --group-directories-first -D,--only-dirs -f,--only-files --git --git-ignore --no-icons -b,--binary -B,--bytes -g,--group -h,--header -H,--links -i,--inode -m,--modified -n,--numeric -S,--blocksize -u,--accessed -U,--created -@,--extended --no-permissions --no-filesize --no-user --no-time --octal-permissions					doLs	options
|executor	>kaniko
|exim	>sendmail
|exim4	>sendmail
|exo	>aliyun
|exoscale	>aliyun
|expand gexpand	-t,--tabs=_ -i,--initial	r*				doSortLike	always
|expect	-c=_ -f=_ -d -b -i -n -N -v -D=_		1			doExpect
|expo	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doCloud			start doctor lint info config	--tunnel --host --customLogReporterPath --config --reactNativePath --transformer --projectRoot
|export-clixml	>set-content
|export-csv	>set-content
|expose	>localtunnel
|expr	>seq
|eza	>exa
|fab	>cap
|fabric	>cap
|factor gfactor	-h,--exponents					doSortLike	always
|fakeroot	-l,--lib=_ --faked=_ -s=_ -i=_ -b=_	C	1
|faketime	-f -m -p=_ --exclude-monotonic --date-prog=P	_ C	1
|faketty ptyrun conpty		C	1
|fallocate	-l,--length=_ -o,--offset=_ -p,--posix -d,--dig-holes -c,--collapse-range -z,--zero-range -n,--keep-size -x -i,--insert-range -v,--verbose					doFallocate
|false	>seq
|fastboot	-s=_ -S=_ --slot=_ -w+destroys-data
	erase format update flashall delete-logical-partition snapshot-update wipe-super				4
	flashing oem
		unlock lock unlock_critical lock_critical				4
		get_unlock_ability device-info
	flash set_active create-logical-partition resize-logical-partition				2
	devices getvar reboot reboot-bootloader continue boot fetch help
|fastlane						doRelease			lanes list scan run_tests test tests lint	--env
|fastly	>aliyun
|fd fdfind	-e,--extension=_ -t,--type=_ -E,--exclude=_ -d,--max-depth=_ --min-depth=_ -S,--size=_ --changed-within=_ --changed-before=_ -c,--color=_ -j=_ --base-directory=D -o,--owner=_ --search-path=_ -H,--hidden -I,--no-ignore -u,--unrestricted -s,--case-sensitive -i,--ignore-case -g,--glob -F,--fixed-strings -a,--absolute-path -l,--list-details -L,--follow -p,--full-path -0,--print0 --prune -q,--quiet --exact-depth=_ --ignore-file=r --format=_ --max-results=_ -1 --one-file-system --strip-cwd-prefix?=_					doFd	options
|fdesetup			4096			doGuardOff
|fdfind	>fd
|fdisk cfdisk	-l,--list -s,--getsz -b,--sector-size=_ -B -c,--compatibility?=_ -u,--units?=_ -C,--cylinders=_ -H,--heads=_ -S,--sectors=_ -t,--type=_ -w,--wipe=_ -W,--wipe-partitions=_ -o,--output=_ -L,--color?=_ -z,--zero -v,-V+inert -h+inert					doPartition
|fdupes	-d,--delete -r,--recurse -R,--recurse: -s,--symlinks -H,--hardlinks -G,--minsize=_ -L,--maxsize=_ -n,--noempty -A,--nohidden -f,--omitfirst -1,--sameline -S,--size -t,--time -m,--summarize -q,--quiet -N,--noprompt -D,--deferconfirmation -p,--permissions -o,--order=_ -i,--reverse -l,--log=w -P,--plain -I,--immediate -c,--cache	i*				doFdupes
|fennel	-e,--eval=e -c,--compile -r,--repl -l,--lua=P --load=x --add-package-path=_ --add-fennel-path=_ --add-macro-path=_ --globals=_ --no-compiler-sandbox --compile-binary -v,--version --correlate --plugin=x --no-metadata		1		lisp	doScriptFile
|feroxbuster	-u,--url=u --stdin --resume-from=r --burp --smart --thorough -A,--random-agent -a,--user-agent=_ -x,--extensions=_ -m,--methods=_ --data=_ -H,--headers=_ -b,--cookies=_ -Q,--query=_ -f,--add-slash --dont-scan=_ -S,--filter-size=_ -X,--filter-regex=_ -W,--filter-words=_ -N,--filter-lines=_ -C,--filter-status=_ -s,--status-codes=_ -T,--timeout=_ -r,--redirects -k,--insecure -t,--threads=_ -n,--no-recursion -d,--depth=_ --force-recursion -e,--extract-links -L,--scan-limit=_ --parallel=_ --rate-limit=_ --time-limit=_ -w,--wordlist=r --auto-tune --auto-bail -D,--dont-filter -v,--verbosity --silent -q,--quiet --json -o,--output=w --debug-log=w --no-state -p,--proxy=_ -U,--update		2			doIntrusion
|fetch	-o=_ -T=_ -w=_ -S=_ -B=_ -1 -4 -6 -A -a -d -F -i=_ -l -M -m -N=_ -n -P -p -q -R -r -s -U -v					doFetch
|ffmpeg									any	-protocol_whitelist -attach -dump_attachment -report -vstats_file -passlogfile -progress -filter_script -filter_complex_script -/filter -/vf -sdp_file -init_hw_device -f -safe
|ffsend	>transfer.sh-cli
|ffuf	-u=u -w=r -H=_ -X=_ -b=_ -d=_ -r -recursion -recursion-depth=_ -recursion-strategy=_ -x=_ -replay-proxy=_ -http2 -timeout=_ -sni=_ -cc=r -ck=r -ac -acc=_ -c -config=r -json -maxtime=_ -maxtime-job=_ -noninteractive -p=_ -rate=_ -s -sa -scraperfile=r -search=_ -se -sf -t=_ -v -V -mc=_ -ml=_ -mr=_ -ms=_ -mt=_ -mw=_ -mmode=_ -fc=_ -fl=_ -fr=_ -fs=_ -ft=_ -fw=_ -fmode=_ -D -e=_ -enc=_ -ic -input-cmd=c -input-num=_ -input-shell=P -mode=_ -request=r -request-proto=_ -debug-log=w -o=w -od=t -of=_ -or -ignore-body -raw		2			doIntrusion
|fgrep	>grep
|fierce	--domain=_ --connect --wide --traverse=_ --search=_ --range=_ --delay=_ --subdomains=_ --subdomain-file=r --dns-servers=_ --dns-file=r --tcp		2			doIntrusion
|file	-f,--files-from=r -m,--magic-file=r -F,--separator=_ -P,--parameter=_ -e,--exclude=_ --exclude-quiet=_ -b,--brief -c,--checking-printout -d -E -h,--no-dereference -i,--mime --mime-type --mime-encoding --extension --apple -k,--keep-going -l,--list -L,--dereference -N,--no-pad -n,--no-buffer -p,--preserve-date -r,--raw -s,--special-files -S,--no-sandbox -z,--uncompress -Z,--uncompress-noreport -0,--print0	i*					options			-C --compile
|finch	>docker
|find gfind			256			doFind	options
|findmnt	-n,--noheadings -a -d,--direction=_ -f,--first-only --file=r -i -p,--poll?=_ -R -s,--fstab -t,--types=_ -x -F,--tab-file=r -w,--timeout=_ -N,--task=_ -O,--options=_	_*
|finger	-l -m -s -p	_*				doLookup
|firebase	>aliyun
|firejail		C	9
|firewall-cmd	>iptables-restore
|fish	-c,--command=_ -C,--init-command=_ -d,--debug=_ -o,--debug-output=w -f,--features=_ -n,--no-execute+inert --profile=w --profile-startup=w		1			doFish
|fj	>gh
|fl0	>aliyun
|flake8	-v,--verbose --output-file=w --append-config=r --config=r --isolated --enable-extensions=_ -q,--quiet --color=_ --count --exclude=_ --extend-exclude=_ --filename=_ --stdin-display-name=_ --format=_ --hang-closing --ignore=_ --extend-ignore=_ --per-file-ignores=_ --max-line-length=_ --max-doc-length=_ --indent-size=_ --select=_ --extend-select=_ --disable-noqa --show-source --statistics --exit-zero -j,--jobs=_ --tee --benchmark --bug-report --max-complexity=_					doTestRunner
|flarectl	>aliyun
|flask-db	>alembic
|flatpak	-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_		2048			doSystemPackages		search *,info *,list *		-c --config -o --option --installroot --setopt --root -R
|fleet	>argocd
|flipt	>aliyun
|flit	>twine
|flock	-e,-x,--exclusive -s,--shared -n,--nb,--nonblock -u,--unlock -o,--close -F,--no-fork --verbose -w,--wait,--timeout=_ -E,--conflict-exit-code=_ -c,--command=c		1			doFlock
|flutter	>dart
|flux	>argocd
|fly flyctl	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doCloud		status,releases,apps list
|flyctl	>fly
|flyway	>alembic
|fmt gfmt	-w,--width=_ -g,--goal=_ -p,--prefix=_ -c,--crown-margin -s,--split-only -t,--tagged-paragraph -u,--uniform-spacing	r*				doSortLike	always
|fnm
	exec	--using=_	C	1
|fold gfold	-w,--width=_ -b,--bytes -s,--spaces -c,--characters	r*				doSortLike	always
|foot	>xterm
|foreman overmind hivemind									start s check ps	-e --env --procfile-env --shell --socket -s
|forfiles	/p=_ /m=_ /c=_ /d=_ /s		544			doForfiles
|forfiles.exe	>conhost
|forge	>claude
|forge-cli	>aliyun
|format			544			doFormatWindows
|format-hex	>get-content
|format-volume clear-disk initialize-disk remove-partition set-disk clear-physicaldisk remove-virtualdisk remove-storagepool reset-physicaldisk	-DriveLetter=_ -Number=_ -DiskNumber=_ -PartitionNumber=_ -FriendlyName=_ -FileSystem=_ -RemoveData -RemoveOEM -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doDisk
|format.com	>blkdiscard
|fossil	>bzr
|fping	-a,--alive -A,--addr -b,--size=_ -B,--backoff=_ -c,--count=_ -C,--vcount=_ -d,--rdns -D,--timestamp -e,--elapsed -f,--file=r -g,--generate -H,--ttl=_ -i,--interval=_ -I,--iface=_ -l,--loop -m,--all -M,--dontfrag -n,--name -N,--netdata -o,--outage -O,--tos=_ -p,--period=_ -q,--quiet -Q,--squiet=_ -r,--retry=_ -R,--random -s,--stats -S,--src=_ -t,--timeout=_ -T=_ -u,--unreach -v -x,--reachable=_ -4 -6					doPing
|free	-b,--bytes -k,--kibi -m,--mebi -g,--gibi --kilo --mega --giga --tebi -h,--human --si -l,--lohi -L,--line -t,--total -s,--seconds=_ -c,--count=_ -w,--wide -v,--committed -V	_*					always
|frpc	>localxpose
|frps	>localtunnel
|fsarchiver	>dump
|fsck	-t=_ -C?=_ -r?=_ -l -N+inert -n					doMount
|fsck.ext2	>e2fsck
|fsck.ext3	>e2fsck
|fsck.ext4	>e2fsck
|fsi	>dotnet-script
|fstrim	-o,--offset=_ -l,--length=_ -m,--minimum=_ -t,--types=_ -I,--listed-in=_ -n,--dry-run+inert					doMount
|fsutil			544			doFsutil
|ftp tnftp lukemftp	-o=_ -P=_ -N=_ -u=_ -s=_ -r=_ -4 -6 -A -a -d -e -f -g -i -n -p -t -V -v -q=_ -T=_					doFtp
|funzip	-password=_ -P=_	r*				doDecoder
|fuser	-k,--kill -a,--all -f -i,--interactive -I,--inode -l,--list-signals+inert -m,-c,--mount -M,--ismountpoint -n,--namespace=_ -s,--silent -u,--user -v,--verbose -w -4,--ipv4 -6,--ipv6 -V,--version+inert					doFuser
|fusionauth	>aliyun
|fx	-r,--raw -s,--slurp --yaml --toml --themes+inert --strict --no-inline	r*
|g++	>gcc
|gallery-dl	-f,--filename=_ -d,--destination=_ -D,--directory=_ -X,--extractors=_ -a,--user-agent=_ --clear-cache=_ --cookies=_ -C,--cookies-from-browser=_ -i,--input-file=r -I,--input-file-comment=r -x,--input-file-delete=r -o,--option=_ -c,--config=r --config-yaml=r --config-toml=r -r,--limit-rate=_ -R,--retries=_ --http-timeout=_ --proxy=_ --source-address=_ -u,--username=_ -p,--password=_ --download-archive=w --range=_ --chapter-range=_ --filter=_ -e,--error-file=w --write-log=w --write-unsupported=w --exec=c --exec-after=c --sleep=_ --sleep-request=_ -P,--postprocessor=_ -q,--quiet -v,--verbose -g,--get-urls -G,--resolve-urls -j,--dump-json -J -s,--simulate -E,--extractor-info -K,--list-keywords -n,--netrc -w,--warning -N --no-mtime --no-part --no-skip --no-download --write-metadata --write-info-json --write-tags --zip --cbz	u*
|gandi	>aliyun
|garden	>aliyun
|gawk	>awk
|gb2sum	>b2sum
|gbase32	>base32
|gbase64	>base64
|gbasename	>basename
|gbasenc	>basenc
|gcat	>cat
|gcc g++ cc c++ clang clang++ gfortran rustc javac scalac									any	-fplugin -fplugin-arg* -wrapper -B -specs -load -Xclang -C -F -pgmF -pgmF* -processorpath -processor -Xplugin* -cp -classpath -syntax -J -r -e -x --eval -imacros -include -Wl* -Xlinker -T -print-prog-name --config
|gchgrp	>chown
|gchmod	>chmod
|gchown	>chown
|gcksum	>cksum
|gcloud	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --quiet --verbosity=_ --flags-file=r --recursive,-r,-R --member=_ --role=_					doGcloud		config list,config get-value *,config configurations list,projects list,auth list,run services list,run revisions list,compute instances list,compute zones list,compute regions list,container clusters list,container images list,artifacts repositories list,artifacts docker images list,functions list,app versions list,services list,sql instances list,pubsub topics list,storage buckets list,logging read *,version,info,components list		--impersonate-service-account --flags-file --access-token-file --configuration --log-http
|gcmp	>cmp
|gcomm	>comm
|gcp	>cp
|gcsplit	>csplit
|gcut	>cut
|gdb lldb cgdb rust-gdb rust-lldb gdb-multiarch			256			doGdb
|gdb-multiarch	>gdb
|gdd	>dd
|gdiff	>diff
|gdir	>ls
|gdirname	>dirname
|gdisk cgdisk	-l -p,--print -v,--verify -i,--info=_ -O,--print-mbr -L,--list-types -V,--version+inert -P,--pretend+inert -o,--clear -z,--zap -Z,--zap-all --new-table -n,--new=_ -d,--delete=_ -t,--typecode=_ -c,--change-name=_ -g,--mbrtogpt -G,--randomize-guids -b,--backup=_ -R,--replicate=_ -l,--load-backup=_ -a,--set-alignment=_ -A,--attributes=_ -h,--hybrid=_ -U,--disk-guid=_ -u,--partition-guid=_ -m,--gpttombr=_ -r,--transpose=_ -E,-F,-f,-D,-S=_					doPartition
|gdu	>du
|gel	>snowsql
|gem	-v,--version=_ -s,--source=_ -i,--install-dir=_ -n,--bindir=_ -k,--key=_ --host=_ -P=_ --user-install					doGem		list *,info *,outdated *,search *,which *
|gemini gemini-cli	-m,--model=_ -p,--prompt=_ -i,--prompt-interactive=_ -s,--sandbox --sandbox-image=_ -d,--debug -a,--all-files --show-memory-usage -y,--yolo --approval-mode=_ --telemetry --checkpointing -e,--extensions=_ -l,--list-extensions --allowed-mcp-server-names=_ --allowed-tools=_ --include-directories=_ --screen-reader -o,--output-format=_ -r,--resume=_ --list-sessions --delete-session=_ --experimental-acp					doAgent
|gemini-cli	>gemini
|genv	>env
|get-childitem get-item resolve-path	-Path,-LiteralPath=_ -Depth=_ -Attributes=_ -File -Directory -Name -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doGetChildItem
|get-ciminstance	>get-wmiobject
|get-clipboard			514			doGetClipboard
|get-content select-string import-csv import-clixml format-hex	-Path,-LiteralPath,-PSPath=_ -Pattern=_ -TotalCount,-Head,-First=_ -Tail,-Last=_ -Encoding=_ -Delimiter=_ -ReadCount=_ -Raw -Wait -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doGetContent
|get-item	>get-childitem
|get-process get-service	-Name,-ProcessName,-DisplayName=_ -Id=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doNamed
|get-service	>get-process
|get-storedcredential	>convertfrom-securestring
|get-wmiobject get-ciminstance remove-wmiobject remove-ciminstance	-Class,-ClassName=_ -Namespace=_ -Query=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doWmi
|getconf	-v=_ -a	_*					always
|getent	-s,--service=_ -i,--no-idn -A,--no-addrconfig					doGetent	always
|getfacl	-a,--access -d,--default -c,--omit-header -e,--all-effective -E,--no-effective -s,--skip-base -R,--recursive -L,--logical -P,--physical -t,--tabular -p,--absolute-names -n,--numeric	i*					always
|getopt	>seq
|gexpand	>expand
|gfactor	>factor
|gfind	>find
|gfmt	>fmt
|gfold	>fold
|gforth	-e,--evaluate=e -i,--image-file=r -m,--dictionary-size=_ -d,--data-stack-size=_ -r,--return-stack-size=_ -f,--fp-stack-size=_ -l,--locals-stack-size=_ -p,--path=_ --appl-image=r --clear-dictionary --die-on-signal --debug --no-signals -v,--version		1		script	doScriptFile
|gfortran	>gcc
|ggrep	>grep
|ggzip	>gzip
|gh glab hub tea fj bb	-R,--repo=_ -X,--method=_ -f,-F,--raw-field,--field=_ -H,--header=_ -q,--jq=_ -t,--template,--title=_ -b,--body=_ -F,--body-file=r --json=_ -L,--limit=_ -B,--base=_ -H,--head=_ -l,--label=_ -a,--assignee=_ -r,--reviewer=_ -m,--milestone=_ --input=r -e,--env=_ -o,--org=_ -u,--user=_ -w,--workflow=_ --visibility=_ -n,--notes=_ --notes-file=r --cleanup-tag --force -y,--yes --confirm --hostname=_ --description=_ -s,--state=_ -p,--pattern=_ -D,--dir=_ -d,--description=_ --admin --public --web --shell -c=_		4096			doForge
|ghc	-e=e -o=_				haskell				any	-fplugin -fplugin-arg* -wrapper -B -specs -load -Xclang -C -F -pgmF -pgmF* -processorpath -processor -Xplugin* -cp -classpath -syntax -J -r -e -x --eval -imacros -include -Wl* -Xlinker -T -print-prog-name --config
|ghci runghc runhaskell stack-runghc	-e=e		1		haskell	doGhci
|ghead	>head
|ghostty	>xterm
|gifsicle	>optipng
|gigalixir	>aliyun
|ginkgo	>air
|ginstall	>install
|gio
	trash	--empty --list --restore -f,--force	m*				doTrash
	remove rm	-f,--force	d*
	copy cp	-T,--no-target-directory -p,--progress -i,--interactive --preserve -b,--backup -P,--no-dereference --default-permissions	r* w
	move mv	-T,--no-target-directory -p,--progress -i,--interactive -b,--backup -C,--no-copy-fallback					doMove
	rename		m _*
	save	-b,--backup -c,--create -a,--append -p,--print-etag -e,--etag=_	w*
	cat		r*
	info list tree monitor	-a,--attributes=_ -h,--hidden -l,--long -w,--query-writable -f -f,--filesystem -n,--nofollow-symlinks -u,--print-uris -d,--print-display-names -D,--dir=_	i*
	mkdir	-p,--parent	_*
	set	-t,--type=_ -d,--delete -n,--nofollow-symlinks	o _*
|gio-trash		m*
|gist	-f,--filename=_ -t,--type=_ -d,--description=_ -u,--update=_ -r,--read=_ -p,--private -a,--anonymous -c,--copy -e,--embed -o,--open -s,--shorten -P,--paste -R,--raw -l,--list?=_ --delete=_ --login --skip-empty					doPaste
|git	-C=D -c=_ --shallow-file=_ --git-dir=_ --work-tree=_ --exec-path?=_ --namespace=_ --super-prefix=_ --config-env=_ -p,--paginate -P,--no-pager --bare --list-cmds=_ --attr-source=_					doGit
	push	-f,--force+force --force-with-lease? --force-if-includes --mirror --all --branches --tags --prune -d,--delete -n,--dry-run+inert -o,--push-option=_ --repo=_ --receive-pack,--exec=P --no-verify+skips-check --signed?=_ --recurse-submodules=_ -u,--set-upstream		128			doGitPush
	send-pack http-push						doGitSendPack
	subtree	-P,--prefix=_ -m,--message=_ -b,--branch=_ --onto=_ --annotate=_					doGitSubtree
	reset	--hard --merge --keep --soft --mixed --pathspec-from-file=r -N -q,--quiet -p,--patch					doGitReset
	clean	-f,--force+force -d -x -X -n,--dry-run+inert -e,--exclude=_ -i,--interactive -q,--quiet					doGitClean
	checkout	-f,--force+force -b,-B,--orphan=_ -t,--track -l --ours --theirs -m,--merge -p,--patch --conflict=_ --pathspec-from-file=r --detach -d --guess --no-guess --recurse-submodules --no-recurse-submodules --no-merge --no-detach		128			doGitCheckout
	restore	-s,--source=_ -S,--staged -W,--worktree -p,--patch --pathspec-from-file=r --ours --theirs -m,--merge --conflict=_					doGitRestore
	switch	-f,--force,--discard-changes+force -c,-C,--create,--force-create,--orphan=_ -t,--track -d,--detach -m,--merge --no-merge --conflict=_ --guess					doGitSwitch
	stash	-q,--quiet -m,--message=_ -u,-a --pathspec-from-file=r					doGitStash
	branch	-d,--delete -D -m,-M,--move -c,-C,--copy -f,--force+force -u,--set-upstream-to=_ --contains=_ --no-contains=_ --merged?=_ --sort=_ --format=_ -r,--remotes -a,--all -l,--list					doGitBranch
	tag	-d,--delete -f,--force+force -m,--message=_ -F,--file=r -u,--local-user=_ -l,--list -n?=_ --sort=_ --format=_ --contains=_ --points-at=_					doGitTag
	reflog	--expire=_ --expire-unreachable=_ --all -n,--dry-run+inert --updateref --rewrite					doGitReflog
	gc	--prune?=_ --aggressive --auto --force					doGitGC
	prune	--expire=_ -n,--dry-run+inert -v,--verbose					doGitGC
	filter-branch	--env-filter=P --tree-filter=P --index-filter=P --parent-filter=P --msg-filter=P --commit-filter=P --tag-name-filter=P --setup=P -d=_ -f,--force+force --original=_					doGitRewrite
	filter-repo	-f,--force+force -n,--dry-run+inert --path=_ --replace-text=r --analyze+inert					doGitRewrite
	replace	-d,--delete -l,--list -f,--force					doGitRewrite
	update-ref	-d,--delete -m=_ --stdin					doGitUpdateRef
	symbolic-ref	-d,--delete -m=_
	worktree	-f,--force+force -b,-B=_ -n,--dry-run+inert --reason=_ --expire=_					doGitWorktree
	rm	-r+recursive -f,--force+force -n,--dry-run+inert --cached -q --ignore-unmatch --pathspec-from-file=r					doGitRm
	mv	-f,--force -n,--dry-run+inert -k -v					doMove
	read-tree	--reset -u -m --prefix=_					doGitReadTree
	checkout-index	-a,--all -f,--force+force --prefix=_					doGitReadTree
	submodule	-q --init --recursive -b,--branch=_ -f,--force					doGitSubmodule
	rebase	-x,--exec=c -i,--interactive --onto=_ -s=_ -X=_ --root --autosquash -C=_					doGitPlain
	bisect			1			doGitBisect
	difftool mergetool	-x,--extcmd=P -t,--tool=_ -y					doGitPlain
	commit	-m,--message=_ -F,--file=r -C,-c,--reuse-message,--reedit-message,--fixup,--squash=_ --author=_ --date=_ -n,--no-verify+skips-check --no-gpg-sign -t,--template=r --dry-run -a,--all --amend -S,--gpg-sign?=_ --trailer=_ -u?=_ --cleanup=_					doGitPlain
	merge	-m=_ -F,--file=r -s=_ -X=_ --no-verify+skips-check --abort					doGitPlain
	add stage	-f,--force+force -A,--all -u -p -n,--dry-run+inert --pathspec-from-file=r --chmod=_					doGitAdd
	config	--global --system --local --worktree -f,--file=_ --blob=_ --get --get-all --get-regexp --list,-l --unset --unset-all --add --replace-all --type=_ --default=_ -e,--edit --show-origin --show-scope --name-only --remove-section --rename-section -z,--null --bool --int --path					doGitConfig
	remote	-v -t=_ -m=_ -f --tags --push --add --delete					doGitRemote
	clone	-b,--branch=_ -o,--origin=_ -u,--upload-pack=P --template=_ --depth=_ --reference=_ -c,--config=_ --separate-git-dir=_ -j,--jobs=_ --shallow-since=_ --filter=_ --recurse-submodules?=_ --server-option=_ --bundle-uri=u					doGitFetch
	fetch pull	--upload-pack=P -j,--jobs=_ --depth=_ -s,--strategy=_ -X=_ -o=_ --shallow-since=_ --refmap=_ --filter=_ -f,--force -p,--prune -n,--dry-run					doGitFetch
	ls-remote	--upload-pack,--exec=P -q --sort=_ -o=_					doGitFetch
	archive	-o,--output=w --format=_ --prefix=_ --remote=h --exec=P --add-file=r					doGitPlain
	bundle						doGitPlain
	format-patch	-o,--output-directory=_ --stdout -n=_
	apply am	-p=_ -C=_ --directory=_ --check+inert --stat+inert --exclude=_ --include=_ -3,--3way -R --numstat+inert	r*				doGitApply
	send-email	--to=_ --cc=_ --bcc=_ --from=_ --subject=_ --smtp-server=h --dry-run+inert --smtp-pass?=_ --smtp-user=_ --sendmail-cmd=P					doGitMail
	imap-send request-pull						doGitMail
	cat-file archive-file	--batch-command --batch?=_ --batch-check?=_					doGitShow
	grep	-O,--open-files-in-pager?=P -e=_ -f=r -A=_ -B=_ -C=_ -m=_ --max-depth=_ --threads=_					doGitShow
	diff log show blame annotate whatchanged shortlog	--contents=r -G=_ -S=_ -L=_ --output=w --ext-diff+runs-program --textconv -O=_ --format=_ --pretty?=_ --since=_ --until=_ --author=_ --grep=_ -n=_ -U=_ -e=_ -f=_ --open-files-in-pager?=P					doGitShow
	rev-parse						doGitRevParse
	credential						doGitCredential
	credential-store credential-cache credential-osxkeychain credential-libsecret credential-manager						doGitCredential
	init	--template=_ --separate-git-dir=_ -b=_ --shared?=_ --object-format=_					doGitInit
	notes	-m,--message=_ -F,--file=r -C,-c,--reuse-message,--reedit-message=_					doGitNotes
	svn p4 cvsserver daemon http-backend instaweb shell upload-pack receive-pack						doGitPlain
	lfs						doGitLFS
	maintenance						doGitMaintenance
	sparse-checkout cherry-pick revert						doGitPlain
	ls-files	-d,--deleted -o,--others -i,--ignored -m,--modified -u,--unmerged -k,--killed -x,--exclude=_ -X,--exclude-from=r -z -c,--cached -s,--stage					doGitLsFiles
	for-each-repo	--config=_					doGitForEach
|git-credential-cache	>docker-credential-osxkeychain
|git-credential-libsecret	>docker-credential-osxkeychain
|git-credential-manager	>docker-credential-osxkeychain
|git-credential-manager-core	>docker-credential-osxkeychain
|git-credential-osxkeychain	>docker-credential-osxkeychain
|git-credential-store	>docker-credential-osxkeychain
|git-credential-wincred	>docker-credential-osxkeychain
|git-filter-repo	--force+force --dry-run+inert					doGitRewriteTool
|git-send-email	>swaks
|gitlab-rails	>rails
|gitlab-rake	>aliyun
|gitlab-runner	>aliyun
|gjoin	>join
|gjs	>qjs
|gksu	>gksudo
|gksudo gksu	-u,--user=_ -g,--disable-grab -d,--debug -k,--preserve-env -D,--description=_ -m,--message=_ -p,--print-pass -S,--sudo-mode -w,--su-mode -l,--login		1			doDoas
|glab	>gh
|glance	>aliyun
|gleam									build test check format run docs
|gln	>ln
|gls	>ls
|glslangValidator	>clang-format
|glslc	>clang-format
|gmake	>make
|gmd5sum	>md5sum
|gmkdir	>mkdir
|gmktemp	>mktemp
|gmv	>mv
|gnl	>nl
|gnome-terminal	>xterm
|gnumfmt	>numfmt
|gnuplot	-e=e -p,--persist -d,--default-settings -c=x -s,--slow -V		1		script	doScriptFile
|go	-C=D -exec=P -toolexec=P -o=w -run=_ -bench=_ -count=_ -timeout=_ -tags=_ -ldflags=_ -gcflags=_ -mod=_ -modfile=_ -overlay=r -p=_ -coverprofile=w -cpuprofile=w -memprofile=w -fuzz=_ -fuzztime=_ -vettool=P		10			doGo
|goawk	-f=x -F=_ -v=_ -E=x -csv -H -i=_ -o=_ -b -d -da -dt -cpuprofile=w -memprofile=w		1		awk	doAwk
|gobuster	-u,--url=u -w,--wordlist=r -o,--output=w -t,--threads=_ -x,--extensions=_ -s,--status-codes=_ -b,--status-codes-blacklist=_ -c,--cookies=_ -H,--headers=_ -U,--username=_ -P,--password=_ -a,--useragent=_ -p,--proxy=_ -k,--no-tls-validation -r,--follow-redirect -f,--add-slash -e,--expanded -n,--no-status -q,--quiet -z,--no-progress -v,--verbose -d,--domain=h --delay=_ --timeout=_ --pattern=r --exclude-length=_ --append-domain --no-error --no-color -m,--method=_		4098			doIntrusion
|god	>od
|godaddy	>aliyun
|godot godot4									--headless --import --check-only --version --build-solutions	-s --script --main-pack --remote-* --debug-server --gdextension* --editor-pid --lsp-port --dap-port --render-thread --log-file --write-movie -u --user-data-dir --extension
|godot4	>godot
|goenv	>rbenv
|gof3r	>ossutil
|gofmt	-d -e -l -r=_ -s -w -cpuprofile=w					doTestRunner
|goimports	-d -e -l -w -v -local=_ -srcdir=_ -format-only -cpuprofile=w -memprofile=w		2			doTestRunner
|gojq	>jq
|golang-migrate	>alembic
|golangci-lint	>pytest
|golines	>air
|goose	>claude
|gopass	>pass
|gosh	-e=e -E=e -l=x -L=x -I=D -A=D -u=_ -m=_ -i -b -q -V -f=_ -F=_ -r=_ -p=_ -v=_ -x		1		lisp	doScriptFile
|gost	>localtunnel
|gosu su-exec setuidgid s6-setuidgid			1			doAsUser
|gotestsum	>air
|gotty	>tmate
|govc	>aliyun
|govulncheck	>air
|gp	-q,--quiet -f,--fast -s,--stacksize=_ -p,--primelimit=_ -D,--default=_ --emacs --test --version		1		script	doScriptFile
|gparted	>parted
|gpasswd	>passwd
|gpaste	>paste
|gpatch	>patch
|gpg gpg2 gpg1	-o,--output=_ -r,--recipient=_ -u,--local-user=_ --homedir=_ --passphrase=_ --passphrase-file=_ --passphrase-fd=_ --batch --yes --pinentry-mode=_ --keyserver=_ --recv-keys --default-key=_ --status-fd=_ --keyring=_ --trust-model=_ --cipher-algo=_ --options=_ -n,--dry-run+inert --agent-program,--dirmngr-program,--pinentry-program=P --exec-path=P --command-file=r --log-file,--logger-file=a --attribute-file,--status-file=w --recipient-file,--hidden-recipient-file=r --primary-keyring,--secret-keyring,--trustdb-name=w --command-fd,--key-origin,--set-filename,--set-policy-url,--sig-policy-url,--cert-policy-url,--sig-keyserver-url,--default-keyserver-url=_		64			doGpg
|gpg1	>gpg
|gpg2	>gpg
|gpr	>pr
|gprintenv	>printenv
|gpt-engineer	>claude
|gptme	>claude
|gptx	>ptx
|gradle gradlew	-p,--project-dir=_ -b,--build-file=_ -I,--init-script=x -x,--exclude-task=_ -P=_ -D=_ --console=_ -c=_ -m,--dry-run+inert -a -i,--info -d,--debug -q,--quiet -s,--stacktrace -S -w,--warn --offline --rerun-tasks --refresh-dependencies --no-daemon --daemon --continue --parallel --build-cache --no-build-cache --scan -t,--continuous -g,--gradle-user-home=_ --max-workers=_ --tests=_ --project-cache-dir=_					doGradle
|gradlew	>gradle
|grafana	>aliyun
|grafana-cli	>aliyun
|grafanactl	>aliyun
|graphile-migrate	>alembic
|greadlink	>readlink
|grealpath	>realpath
|grep ggrep egrep fgrep	-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive -d,--directories=_ -D,--devices=_ --include=_ --exclude=_ --exclude-from=r --exclude-dir=_ --label=_ --binary-files=_ --color,--colour?=_ --files-without-match,-L --count,-c --quiet,-q,--silent -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -i,--ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -n,--line-number -H,--with-filename -h,--no-filename -o,--only-matching -s,--no-messages -a,--text -b,--byte-offset -I -z,--null-data -U,--binary -y --no-ignore-case -T,--initial-tab -Z,--null --line-buffered -u -V+inert					doGrep	always
|grm	>rm
|grmdir	>rmdir
|grok	>claude
|groovy	-e=e -cp,-classpath,--classpath=_ -D=_ -c,--encoding=_ -p -n		1		groovy	doScriptFile
|groovysh	-e=e -cp=_		1		groovy	doStdinScript
|groupadd	-g,--gid=_ -p,--password=_ -r,--system -f,--force -R,--root=D -P,--prefix=w					doUsers
|groupdel	-f,--force -R,--root=D -P,--prefix=w					doUsers
|groupmod	>useradd
|groups		_*					always
|growthbook	>aliyun
|grpcurl	-d=_ -H=_ -proto=_ -import-path=_ -protoset=_ -cert=_ -key=_ -cacert=_ -plaintext -insecure -v -vv -emit-defaults -allow-unknown-fields -format=_ -format-error -max-time=_ -connect-timeout=_ -authority=_ -servername=_ -rpc-header=_ -reflect-header=_ -unix -expand-headers -use-reflection -max-msg-sz=_ -protoset-out=w -proto-out-dir=t	h	2
|grsync	>rsync
|grub-install grub2-install update-grub grub-mkconfig grub2-mkconfig bcdedit bless update-initramfs kernel-install nvram	-v -l					doBoot
|grub-mkconfig	>grub-install
|grub2-install	>grub-install
|grub2-mkconfig	>grub-install
|grunt	>ninja
|gs-netcat	>localtunnel
|gsecdump	>mimikatz
|gsed	>sed
|gsha1sum	>md5sum
|gsha224sum	>md5sum
|gsha256sum	>md5sum
|gsha384sum	>md5sum
|gsha512sum	>md5sum
|gshred	>shred
|gsocket	>localtunnel
|gsort	>sort
|gsplit	>split
|gstrings	>strings
|gsum	>sum
|gsutil	-h=_ -i=_ -u=_ -o=_ -m -q -D -n+inert					doGsutil
|gtac	>tac
|gtail	>tail
|gtar	>tar
|gtee	>tee
|gtime	>time
|gtimeout	>timeout
|gtouch	>touch
|gtr	>tr
|gtrash	>trash
|gtruncate	>truncate
|gtsort	>tsort
|guile	-s=x -c=e -l=x -L=D -C=D -x=_ -e=_ -q -v,--version --debug --no-debug --auto-compile --fresh-auto-compile --no-auto-compile --use-srfi=_ --listen?=_ --r6rs --r7rs --language=_		1		lisp	doScriptFile
|guix	>apt-get
|gulp	>ninja
|gunexpand	>unexpand
|guniq	>uniq
|gunlink	>unlink
|gunzip	-S,--suffix=_ -c,--stdout,--to-stdout -a,--ascii -f,--force -n,--no-name -N,--name -q,--quiet -r,--recursive -v,--verbose -t,--test -l,--list -k,--keep --synchronous	r*				doDecoder
|gvdir	>ls
|gvim	>vim
|gwc	>wc
|gxargs	>xargs
|gzcat	>zcat
|gzip ggzip	-d,--decompress,--uncompress -S,--suffix=_ -b=_ -c,--stdout,--to-stdout -a,--ascii -f,--force -n,--no-name -N,--name -q,--quiet -r,--recursive -v,--verbose -t,--test -l,--list -k,--keep --synchronous --rsyncable -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best					doCompress
|h2	>snowsql
|hadolint	-c,--config=r -V,--verbose -f,--format=_ --error=_ --warning=_ --info=_ --style=_ --ignore=_ --trusted-registry=_ --require-label=_ --strict-labels --disable-ignore-pragma --no-fail --no-color --failure-threshold,-t=_ --file-path-in-report=_					doTestRunner
|hadoop	>hdfs
|halt	>reboot
|haml-lint	>brakeman
|happy	>claude
|hashcat	-m,--hash-type=_ -a,--attack-mode=_ -V --hex-charset --hex-salt --hex-wordlist --force --status --status-timer=_ -t,--markov-threshold=_ --runtime=_ --session=_ --restore --restore-file-path=r -o,--outfile=w --outfile-format=_ -p,--separator=_ --stdout --show --left --username --remove --potfile-disable --potfile-path=w --debug-mode=_ --debug-file=w -b,--benchmark --benchmark-all --speed-only -c,--segment-size=_ --bitmap-min=_ --bitmap-max=_ --cpu-affinity=_ -I,--backend-info -d,--backend-devices=_ -D,--opencl-device-types=_ -O,--optimized-kernel-enable -w,--workload-profile=_ -n,--kernel-accel=_ -u,--kernel-loops=_ -T,--kernel-threads=_ -s,--skip=_ -l,--limit=_ --keyspace -j,--rule-left=_ -k,--rule-right=_ -r,--rules-file=r -g,--generate-rules=_ -1,--custom-charset1=_ -2,--custom-charset2=_ -3,--custom-charset3=_ -4,--custom-charset4=_ -i,--increment --increment-min=_ --increment-max=_ -S,--slow-candidates --quiet --example-hashes --self-test-disable	r*	2			doIntrusion
|hashdump	>mimikatz
|hasura	>alembic
|hatch	>poetry
|hcloud	>aliyun
|hcloud-cli	>aliyun
|hd	>hexdump
|hdfs hadoop			1			doHdfs
|hdiutil	-o,-format,-fs,-volname,-size,-srcfolder,-type,-layout,-mountpoint,-mountroot=_ -force,-quiet,-verbose,-nobrowse,-readonly,-noverify,-ov,-plist
	attach mount detach unmount eject info verify imageinfo isencrypted checksum pmap plugins
	create convert makehybrid		w*
	resize compact segment flatten unflatten udifrez chpass erasekeys		o*
	burn				1
|hdparm	-a?=_ -A?=_ -b?=_ -B?=_ -c?=_ -C -d?=_ -D?=_ -E=_ -f -F -g -h -H -i -I -J?=_ -k?=_ -K?=_ -L?=_ -m?=_ -M?=_ -n?=_ -N?=_ -p?=_ -P?=_ -q -Q?=_ -r?=_ -R?=_ -s=_ -S=_ -t -T -u?=_ -v -V -w -W?=_ -x -X=_ -y -Y -z -Z --direct --security-erase=_ --security-erase-enhanced=_ --security-unlock=_ --security-set-pass=_ --security-disable=_ --security-freeze --security-help --user-master=_ --security-mode=_ --trim-sector-ranges --trim-sector-ranges-stdin --please-destroy-my-drive --yes-i-know-what-i-am-doing --read-sector=_ --write-sector=_ --repair-sector=_ --make-bad-sector=_ --fwdownload=r --sanitize-block-erase --sanitize-crypto-scramble --sanitize-overwrite=_ --sanitize-status --dco-identify --dco-restore --dco-freeze --fibmap=r --fallocate=_ --Istdin --Istdout --prefer-ata12 --verbose --offset=_ --Iraw=r					doErase
|head ghead	-n,--lines=_ -c,--bytes=_ -q,--quiet,--silent -v,--verbose -z,--zero-terminated	r*				doCat	always
|heaptrack	-r,--raw -p,--pid=_ -a,--analyze=r --record-only -d,--debug --use-inject -q,--quiet -v -o,--output=w		1			doProfiler
|heat	>aliyun
|heirloom-mailx	>mail
|helix hx	-c,--config=r --log=w -w,--working-dir=D -g,--grammar=_ --tutor --health -v --vsplit --hsplit -V					doEditor
|helm helm3	-n,--namespace=_ --kube-context=_ --kubeconfig=_ -f,--values,--file=_ --set=_ --set-string=_ --version=_ --repo=_ --timeout=_ --dry-run?=_ -e,--environment=_ -l,--selector=_ -o,--output=_ --username=_ --password=_ --post-renderer=P --kube-apiserver=_ --kube-as-group=_ --kube-as-user=_ --kube-ca-file=_ --kube-tls-server-name=_ --kube-token=_ --registry-config=_ --repository-cache=_ --repository-config=_ --burst-limit=_ --qps=_ --state-values-file=_ --state-values-set=_		2048			doHelm		list,ls,status *,history *,lint *,version,search repo *,search hub *,repo list,show chart *,dependency list *,template *		--kube-* --post* --reg* --repo* --validate* --set-file --output-dir
|helm-plugin krew						doOtherManager
|helm3	>helm
|helmfile	-n,--namespace=_ --kube-context=_ --kubeconfig=_ -f,--values,--file=_ --set=_ --set-string=_ --version=_ --repo=_ --timeout=_ --dry-run?=_ -e,--environment=_ -l,--selector=_ -o,--output=_ --username=_ --password=_ --post-renderer=P --kube-apiserver=_ --kube-as-group=_ --kube-as-user=_ --kube-ca-file=_ --kube-tls-server-name=_ --kube-token=_ --registry-config=_ --repository-cache=_ --repository-config=_ --burst-limit=_ --qps=_ --state-values-file=_ --state-values-set=_		2048			doHelm
|hermes	-exec -emit-binary -out=w -O -O0 -g -dump-ast -dump-bytecode -dump-ir -dump-js -commonjs -lazy -strict -non-strict -w -version -b -parse-only -output-source-map -eval=e		3		js	doScriptFile
|heroku	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doCloud		apps,ps,releases,whoami,status,apps:info
|hex						doHex		search *,info *
|hexdump hd	-e,--format=_ -f,--format-file=r -n,--length=_ -s,--skip=_ -L,--color?=_ -b,--one-byte-octal -c,--one-byte-char -C,--canonical -d,--two-bytes-decimal -o,--two-bytes-octal -x,--two-bytes-hex -v,--no-squeezing	r*					always
|hey	-n=_ -c=_ -q=_ -z=_ -o=_ -m=_ -H=_ -t=_ -A=_ -d=_ -D=r -T=_ -U=_ -a=_ -x=_ -h2 -host=_ -disable-compression -disable-keepalive -disable-redirects -cpus=_					doLoad
|hf	>huggingface-cli
|hg	-R,--repository=_ --cwd=D --config=_ --encoding=_ --encodingmode=_ --color=_ --pager=_ --hidden -y,--noninteractive -q,--quiet -v,--verbose --debug --debugger --traceback --time --profile					doHg
	push	-f,--force+force					doHgPush
	revert update up checkout co	-C,--clean,-a,--all -r,--rev=_					doHgRevert
	strip purge histedit rollback						doHgStrip
	bisect	-c,--command=c -r,--reset -g,--good -b,--bad -s,--skip -e,--extend -U,--noupdate
	extdiff	-p,--program=_ -o,--option=_ --from=_ --to=_ -c,--change=_ -r,--rev=_ -I,--include=_ -X,--exclude=_ --per-file --confirm --patch					doHgExtdiff
	debugshell	-c,--command=e				python
|himalaya	>slackcat
|himalaya-send	>swaks
|hindsight	>mimikatz
|hive	>snowsql
|hivemind	>foreman
|holesail	>localtunnel
|honeycomb	>aliyun
|host	-a -A -C -d -l -m=_ -n -N=_ -p=_ -r -R=_ -s -t=_ -T -U -v -V -w -W=_ -4 -6 -c=_					doLookup
|hostid arch-info	-n,--limit=_ -a,--hostlast -d,--dns -f,--file=r -F,--fulltimes -i,--ip -p,--present=_ -R,--nohostname -s,--since=_ -t,--until=_ -w,--fullnames -x,--system --time-format=_	_*
|hostname	>hostnamectl
|hostnamectl localectl hostname			4096			doQuietSystem
|hotspot	>valgrind
|hping3	-v -c,--count=_ -i,--interval=_ --fast --faster --flood -n,--numeric -q,--quiet -I,--interface=_ -V,--verbose -D,--debug -z,--bind -Z,--unbind --beep -0,--rawip -1,--icmp -2,--udp -8,--scan=_ -9,--listen=_ -a,--spoof=_ --rand-dest --rand-source -t,--ttl=_ -N,--id=_ -H,--ipproto=_ -W,--winid -r,--rel -f,--frag -x,--morefrag -y,--dontfrag -g,--fragoff=_ -m,--mtu=_ -o,--tos=_ -G,--rroute -s,--baseport=_ -p,--destport=_ -k,--keep -w,--win=_ -O,--tcpoff=_ -Q,--seqnum -b,--badcksum -M,--setseq=_ -L,--setack=_ -F,--fin -S,--syn -R,--rst -P,--push -A,--ack -U,--urg -X,--xmas -Y,--ymas -d,--data=_ -E,--file=r -e,--sign=_ -j,--dump -J,--print -B,--safe -u,--end -T,--traceroute --tr-stop --tr-keep-ttl --tr-no-rtt					doPing
|ht	>xh
|html-validate	>air
|htmlhint	>air
|htop	-d,--delay=_ -C,--no-color -F,--filter=_ -H,--highlight-changes?=_ -M,--no-mouse -n,--max-iterations=_ -p,--pid=_ --readonly -s,--sort-key=_ -t,--tree -u,--user?=_ -U,--no-unicode -V	_*
|http https	-o,--output=_ -d,--download -b,--body -h,--headers -p,--print=_ -P,--history-print=_ -s,--style=_ --pretty=_ --format-options=_ -a,--auth=_ -A,--auth-type=_ --session=_ --session-read-only=_ --proxy=_ --max-redirects=_ --timeout=_ --verify=_ --ssl=_ --cert=_ --cert-key=_ --cert-key-pass=_ --raw=_ --boundary=_ --default-scheme=_ --response-charset=_ --response-mime=_ --ciphers=_ --offline+inert --unix-socket=_ --resolve=_ --interface=_ -v,--verbose -m,--meta -j,--json -f,--form --multipart -F,--follow -c,--continue -q,--quiet -x,--compress -I,--ignore-stdin -S,--stream -A --check-status --all -n --debug --traceback --manual+inert					doHttpie
|httpie	--debug --traceback					doHttpie
|https	>http
|huaweicloud	>aliyun
|hub	>gh
|huggingface-cli hf
	upload upload-large-folder				8
	repo repos
		delete				4
		create settings move				1
		branch
			delete				4
			create
		tag
			delete				4
			create list
	repo-files
		delete				4
	endpoints
		delete				2
		deploy update resume				1
		ls list describe
	auth
		token				64
		login list whoami switch logout
	jobs
		run uv				1
		ps logs inspect
	download login logout whoami env scan-cache version cache delete-cache tag
|hush	>sh
|husky	>ninja
|hwatch	-b,--batch -B,--beep -c,--color -r,--reverse -C,--compress -t,--no-title -N,--line-number --no-help-banner -x,--exec -O,--diff-output-only -A,--aftercommand=c -l,--logfile=w -s,--shell=P -n,--interval=_ -L,--limit=_ --tab-size=_ -d,--differences?=_ -o,--output=_ -K,--keymap=_		1			doWatch
|hwc	>aliyun
|hwclock	-r,--show -s,--hctosys -w,--systohc --set --systz -a,--adjust --getepoch --setepoch --predict --epoch=_ --date=_ --delay=_ -f,--rtc=_ -l,--localtime -u,--utc --directisa --noadjfile --adjfile=w --test+inert -v,--verbose -V --update-drift --vl-read --vl-clear					doClock
|hx	>helix
|hy	-c=e -m=_ -i=e --spy --repl-output-fn=_ -B -E -I -v,--version -u -s -S		1		lisp	doScriptFile
|hydra	-R -I -S -s=_ -l=_ -L=r -p=_ -P=r -x=_ -y -r -e=_ -u -C=r -M=r -o=w -b=_ -f -F -t=_ -T=_ -w=_ -W=_ -c=_ -4 -6 -v -V -d -O -K -q -U -m=_		2			doIntrusion
|hyperfine	-w,--warmup=_ -m,--min-runs=_ -M,--max-runs=_ -r,--runs=_ -s,--setup=c -p,--prepare=c -c,--cleanup=c -C,--conclude=c -P,--parameter-scan=_ -D,--parameter-step-size=_ -L,--parameter-list=_ -S,--shell=c -u,--time-unit=_ --style=_ --sort=_ --export-json=w --export-csv=w --export-markdown=w --export-asciidoc=w --export-orgmode=w -n,--command-name=_ --output=_ --input=_ -N -i,--ignore-failure --show-output --min-benchmarking-time=_ --reference=c --reference-name=_	c*
|hypertele	>localtunnel
|i18n-tasks	>brakeman
|i386	>linux32
|ibmcloud	>aliyun
|icacls cacls xcacls	/t+recursive /grant=_ /deny=_ /setowner=_ /reset /inheritance=_ /q /c /g=_ /e /p=_ /remove=_		544			doIcacls
|iconv	-f,--from-code=_ -t,--to-code=_ -o,--output=w -c -l,--list -s,--silent --verbose	r*				doSortLike	always
|id	-u,--user -g,--group -G,--groups -n,--name -r,--real -z,--zero -Z,--context					doWho	always
|idevicerestore				4
|idf.py									build size size-components size-files reconfigure set-target fullclean clean app bootloader partition-table docs	-C --project-dir -p --port
|iex	>elixir
|ifconfig route nmcli ifdown ifup iwconfig iw networksetup bridge tc wg wg-quick dhclient scutil						doNetworkConfig
|ifdown	>ifconfig
|iflow	>claude
|ifne	-n	C	1
|ifup	>ifconfig
|ij	>snowsql
|img	-f,--file=r -t,--tag=_ --build-arg=_ --target=_ --platform=_ -o,--output=_ --no-cache -d,--debug -s,--state=_ -b,--backend=_					doImageTool
|impacket-psexec	>evil-winrm
|impacket-secretsdump	>mimikatz
|impacket-wmiexec	>evil-winrm
|impala-shell	>snowsql
|import-clixml	>get-content
|import-csv	>get-content
|import-module add-type	-Name=_ -TypeDefinition=_ -Path=_ -AssemblyName=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514
|incus	>lxc
|infisical	>doppler
|influx influxd	-execute=q -database=_ -host=_ -port=_ -username=_ -password=_ --org,-o=_ --bucket,-b=_ --token,-t=_ --start=_ --stop=_ --id,-i=_		2		influx	doInflux
|influxd	>influx
|infracost	>cdktf
|init	>shutdown
|initdb	-D,--pgdata=t -A,--auth=_ --auth-host=_ --auth-local=_ -E,--encoding=_ -g,--allow-group-access -k,--data-checksums --locale=_ --lc-collate=_ --lc-ctype=_ -N,--no-sync --pwfile=r -T,--text-search-config=_ -U,--username=_ -W,--pwprompt -X,--waldir=t --wal-segsize=_ -c,--set=_ -d,--debug -L=_ -n,--no-clean -S,--sync-only -s,--show+inert -V+inert	t*
|initialize-disk	>format-volume
|inlets	>localxpose
|insmod modprobe rmmod kldload kextload kextunload	-r,--remove -l -e -c -n,--dry-run,--show-depends+inert -v					doKernel
|insserv	-r,--remove -d,--default -f,--force -v,--verbose -n,--dryrun+inert -p,--path=D -c,--config=r -o,--override=D					doServiceEnable
|install ginstall	-t,--target-directory=_ -m,--mode=_ -o,--owner=_ -g,--group=_ -S,--suffix=_ -d,--directory -D -b -c -C,--compare -p,--preserve-timestamps -s,--strip --strip-program=P -T,--no-target-directory -v,--verbose -Z --backup?=_					doInstall
|installer softwareupdate mas	-pkg=r -target=_ -i -l -a		2			doMacInstaller
|installutil	>regsvr32
|interpreter	>claude
|interrogate	>air
|inv	>ninja
|invoke	>ninja
|invoke-cimmethod	>invoke-wmimethod
|invoke-item	-Path,-LiteralPath=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doInvokeItem
|invoke-rc.d	--quiet --force --try-anyway --disclose-deny --query --no-fallback --skip-systemd-native					doService
|invoke-restmethod	>invoke-webrequest
|invoke-webrequest invoke-restmethod	-Uri=_ -OutFile=_ -Method,-CustomMethod=_ -Body=_ -InFile=_ -Headers=_ -ContentType=_ -Proxy=_ -UserAgent=_ -WebSession,-SessionVariable=_ -TimeoutSec=_ -MaximumRedirection=_ -Certificate=_ -Form=_ -Token=_ -Authentication=_ -UseBasicParsing -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doWebRequest
|invoke-wmimethod invoke-cimmethod	-Class,-ClassName=_ -Name,-MethodName=_ -ArgumentList,-Arguments=_ -Path=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doWmiMethod
|io	>escript
|iodine	-p=_ -h+inert -l=_ -I=_ -M=_ -O=_ -P=_ -R=_ -T=_ -b=_ -i=_ -m=_ -u=_ -z=_ -F=w -t=D					doTunnel
|ionice	-c,--class=_ -n,--classdata=_ -p,--pid=_ -P,--pgid=_ -u,--uid=_ -t,--ignore -V	C	1				always
|iostat	-c -d -g=_ -H -h -k -m -N -p=_ -s -t -V -x -y -z -j=_ -o=_ -f=D --human --pretty --compact --dec=_ -w=_ -C -I -K -n=_	_*					always
|ip	-n,-netns,--netns=_ -f,-family=_ -b,-batch=r					doIP
|ip6tables	-t,--table=_ -F,--flush?=_ -X?=_ --delete-chain -Z?=_ -A,--append=_ -D,--delete=_ --list?=_ --list-rules?=_ -j,--jump=_ -m=_ -N=_ -C,--check=_ -g,--goto=_ --match=_ --new=_ --new-chain=_ -c,--set-counters=_ -M,--modprobe=P					doFirewall
|ip6tables-restore	>iptables-restore
|ipcs	>readelf
|ipfw	>iptables-restore
|iptables	-t,--table=_ -F,--flush -X,--delete-chain -Z -P,--policy -A,--append=_ -D,--delete=_ -I,--insert=_ -L,--list -S,--list-rules -j,--jump=_ -p=_ -s=_ -d=_ -i=_ -o=_ -m=_ --dport=_ --sport=_ -N=_ -C,--check=_ -M,--modprobe=P					doFirewall
|iptables-legacy iptables-nft	-t,--table=_ -F,--flush?=_ -X?=_ --delete-chain -Z?=_ -A,--append=_ -D,--delete=_ -L,--list?=_ -S,--list-rules?=_ -j,--jump=_ -m=_ -N=_ -C,--check=_ -g,--goto=_ --match=_ --new=_ -c,--set-counters=_					doFirewall
|iptables-nft	>iptables-legacy
|iptables-restore ip6tables-restore nft firewall-cmd pfctl ipfw netsh-firewall	-M,--modprobe=P					doFirewall
|ipython	>python
|ipython3	>python
|irb	-r=_ -I=_ -e,--exec=e		1		ruby	doStdinScript
|iredis	>redis-cli
|isort	-c,--check-only,--check -d,--diff -q,--quiet -v,--verbose --settings-path,--settings-file,--settings,-sp,--sp=r --profile=_ -l,-w,--line-length=_ -m,--multi-line=_ -s,--skip=_ --extend-skip=_ --sg,--skip-glob=_ --gitignore -f,--float-to-top --af,--force-adds -a,--add-import=_ --rm,--remove-import=_ -p,--project=_ -o,--thirdparty=_ -b,--builtin=_ --src,--src-path=r --stdout --overwrite-in-place --atomic --interactive --filename=_ -j,--jobs=_ --show-settings --show-files --vn -V					doTestRunner
|isql	>snowsql
|isql-fb	>snowsql
|istioctl	>aliyun
|iw	>ifconfig
|iwconfig	>ifconfig
|iwyu_tool.py	>clang-format
|ix	>pastebinit
|jake	>ninja
|janet	-e,--eval=e -E,--expression=e -l,--lib=_ -m,--syspath=D -c,--compile=r -i,--image=r -d,--debug -n,--nocolor -N,--color -r,--repl -p,--persistent -q,--quiet -k,--flycheck -s,--noprofile,-R -w=_ -x=_ -v,--version		1		lisp	doScriptFile
|jaq	>jq
|java	-jar=_ -cp,-classpath,--class-path=_ -p,--module-path=_ -m,--module=_ --add-modules=_ --add-opens=_ --add-exports=_ --add-reads=_ --patch-module=_ --source=_ --upgrade-module-path=_ --limit-modules=_		3		java	doJava
|javac	>gcc
|jcli	>aliyun
|jdbcsql	>snowsql
|jdc	>aliyun
|jdupes	-d,--delete -r,--recurse -R,--recurse: -s,--symlinks -H,--hard-links -X,--ext-filter=_ -n,--no-empty -A,--no-hidden -f,--omit-first -1,--one-file-system -S,--size -t,--no-change-check -m,--summarize -M,--print-summarize -q,--quiet -N,--no-prompt -p,--permissions -o,--order=_ -i,--reverse -l,--link-soft -L,--link-hard -B,--dedupe -O,--param-order -P,--print=_ -C,--chunk-size=_ -Q,--quick -T,--partial-only -I,--isolate -j,--json -u,--print-unique -U,--no-trav-check -z,--zero-match -Z,--soft-abort -0,--print-null -y,--hash-db=w	i*				doFdupes
|jenkins-cli	>aliyun
|jenkins-cli.jar	>aliyun
|jenkins-jobs	>aliyun
|jenv	>rbenv
|jest	>pytest
|jimsh	>tclsh
|jiti	>ts-node
|jj	-R,--repository=_ --at-operation,--at-op=_ --color=_ --config=_ --config-file=_ --ignore-working-copy --ignore-immutable --quiet --no-pager --debug					doJj
	abandon						doHgStrip
	git						doJjGit
	restore						doHgRevert
|jjs	>kotlin
|joe	-tab=_ -lmargin=_ -rmargin=_ -encoding=_ -wordwrap -autoindent -asis -nobackups -linums -rdonly -backpath=t -skiptop=_ -lines=_ -columns=_ -baud=_		2			doEditor
|john	--single?=_ --wordlist?=r --stdin --pipe --rules?=_ --incremental?=_ --mask?=_ --markov?=_ --external=_ --stdout?=_ --restore?=_ --session=_ --status?=_ --make-charset=w --show?=_ --test?=_ --users=_ --groups=_ --shells=_ --salts=_ --save-memory=_ --node=_ --fork=_ --pot=w --list=_ --format=_ --config=r --loopback?=r --encoding=_ --max-length=_ --min-length=_ --max-run-time=_	r*	2			doIntrusion
|join gjoin	-a=_ -e=_ -j=_ -o=_ -t=_ -v=_ -1=_ -2=_ -i,--ignore-case --check-order --nocheck-order --header -z,--zero-terminated	r*				doSortLike	always
|join-path	>test-path
|jot	>seq
|journalctl	--vacuum-size=_ --vacuum-time=_ --vacuum-files=_ --rotate --flush -u,--unit=_ -n,--lines=_ -S,--since=_ -U,--until=_ -p=_ -o=_ -t=_ -g=_ -D=_ -b?=_ --system --user -m,--merge --file=r --root=D --image=_ -i=r --list-boots --no-tail -a,--all -l,--full --no-full -f,--follow -e,--pager-end -r,--reverse -q,--quiet --no-pager --no-hostname -x,--catalog --utc --case-sensitive?=_ -k,--dmesg -N,--fields -F,--field=_ -M,--machine=_ --namespace=_ --output-fields=_ --output=_ --priority=_ --identifier=_ --grep=_ --directory=_ --boot?=_ --facility=_ --user-unit=_ -c,--cursor=_ --after-cursor=_ --show-cursor --cursor-file=o --disk-usage --verify --verify-key=_ --sync --relinquish-var --smart-relinquish-var --list-catalog --dump-catalog --update-catalog --setup-keys --header --interval=_ --force -T,--exclude-identifier=_					doJournal
|jpegoptim	>optipng
|jq gojq jaq			256			doJq
|jruby	>ruby
|js	>qjs
|jsc	-e=e -m -d -f=x -i -s -x -p=w --sample --test262-async --strict-file=x --module-file=x --exception=_ --options --useConcurrentJIT=_ --watchdog=_ --footprint		1		js	doScriptFile
|jscpd	>air
|jshell	--class-path=_ --startup=x --execution=_ --feedback=_ -R=_ -C=_ --add-modules=_ --module-path=_	x*	2		java	doStdinScript
|jsr
	publish	--dry-run+inert --token=_ --allow-dirty			8
	add i install		p*		128
|jules	>claude
|julia	-e,--eval=e -E,--print=e -L,--load=x -p,--procs=_ -t,--threads=_ -J,--sysimage=_ --project?=_ -C=_		1		julia	doScriptFile
|julia-pkg	>luarocks
|junie	>claude
|jupyter jupyter-lab jupyter-notebook jupyter-server			1			doJupyter			nbconvert lab notebook kernelspec	--config --ip --allow-root --notebook-dir --config-file --debug-server --gateway-url --certfile --keyfile --preferred-dir --preprocessors --exporter --writer --post --template-file
|jupyter-lab	>jupyter
|jupyter-notebook	>jupyter
|jupyter-server	>jupyter
|jupytext	>papermill
|just	>ninja
|jython	>python
|k	>kubectl
|k0s	>aliyun
|k0sctl	>aliyun
|k3d	>aliyun
|k6	-u,--vus=_ -d,--duration=_ -i,--iterations=_ -s,--stage=_ -o,--out=_ -e,--env=_ -t,--type=_ -c,--config=r -a,--address=_ --summary-export=w --console-output=w --log-output=_ --log-format=_ --tag=_ --rps=_ --user-agent=_ --http-debug?=_ --insecure-skip-tls-verify --no-usage-report --no-summary --no-thresholds --paused -q,--quiet -v,--verbose -l,--linger -w,--throw					doLoad
|k9s	>kustomize
|kaf	>aliyun
|kafka-acls	>kafka-topics
|kafka-acls.sh	>kafka-topics
|kafka-configs	>kafka-topics
|kafka-configs.sh	>kafka-topics
|kafka-consumer-groups	>kafka-topics
|kafka-consumer-groups.sh	>kafka-topics
|kafka-delete-records	>kafka-topics
|kafka-delete-records.sh	>kafka-topics
|kafka-leader-election	>kafka-topics
|kafka-reassign-partitions	>kafka-topics
|kafka-reassign-partitions.sh	>kafka-topics
|kafka-storage	>kafka-topics
|kafka-storage.sh	>kafka-topics
|kafka-topics kafka-topics.sh kafka-delete-records kafka-delete-records.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-acls kafka-acls.sh kafka-configs kafka-configs.sh kafka-storage kafka-storage.sh kafka-reassign-partitions kafka-reassign-partitions.sh kafka-leader-election kcat kafkacat	--bootstrap-server=_ --zookeeper=_ --topic=_ --group=_ --command-config=_ --entity-type=_ --entity-name=_ --add-config=_ --delete-config=_ --partitions=_ --config=_ --offset-json-file=r -b=_ -t=_					doKafka
|kafka-topics.sh	>kafka-topics
|kafkacat	>kafka-topics
|kak	-e=_ -E=_ -f=_ -s=_ -c=_ -p=_ -i=_ -ui=_ -debug=_ -n -l -d -ro -clear -version -help		2			doEditor
|kamal	>cap
|kaniko executor	-f,--dockerfile=r -c,--context=_ -d,--destination=_ --build-arg=_ --digest-file=w --tar-path=w --registry-mirror=_ --cache-repo=_ --target=_ --snapshot-mode=_ --verbosity,-v=_ --no-push --cache --cleanup --insecure --skip-tls-verify		1			doImageTool
|kapp	>aliyun
|karma	>pytest
|kc	>kubectl
|kcadm	>aliyun
|kcadm.bat	>aliyun
|kcadm.sh	>aliyun
|kcat	>kafka-topics
|kcat-admin	>aliyun
|kcov	--collect-only --report-only -p,--pid=_ -l,--limits=_ --sort-type=_ --include-path=_ --exclude-path=_ --include-pattern=_ --exclude-pattern=_ --include-line=_ --exclude-line=_ --exclude-region=_ --path-strip-level=_ --skip-solibs --exit-first-process --clean --replace-src-path=_ --coveralls-id=_ --strip-path=_ --merge --bash-method=_ --bash-parser=P --python-parser=P --debug=_ --verify --configure=_ -v	_ C	1
|kctl	>kubectl
|kdesu	-u=_ -c=c -d -f=_ -i=_ -n -p=_ -r -s -t --noignorebutton --attach=_		1			doDoas
|kdesudo	-u=_ -c=c -d -f=_ -i=_ -n -p=_ -r -s -t --comment=_ --noignorebutton --attach=_		1			doDoas
|kdig	-4 -6 -b=_ -c=_ -d -E -k=r -p=_ -q=_ -t=_ -V -x=_ -y=_ -h					doLookup
|keepassxc-cli	>bw
|keeper	>bw
|kernel-install	>grub-install
|kexec	-h -v -f,--force -x,--no-ifdown -y,--no-sync -l,--load=r -p,--load-panic -u,--unload -e,--exec+changes -t,--type=_ --mem-min=_ --mem-max=_ --reuseinitrd -s,--kexec-file-syscall --initrd,--ramdisk=r --command-line=_ --append=_ --reuse-cmdline --dtb=r --module=_					doKernel
|kextload	>insmod
|kextunload	>insmod
|keycloak	>aliyun
|keyctl			256			doKeyctl
|keydb-cli	>redis-cli
|keyhub	>conjur
|keyring	>secret-tool
|keystone	>alembic
|keytool	-delete+destroys -keystore,-alias,-storepass,-keypass,-dname,-keyalg,-keysize,-validity,-storetype,-ext,-srckeystore,-srcalias,-sigalg=_ -destkeystore=w -file=_ -list,-genkey,-genkeypair,-exportcert,-importcert,-printcert,-certreq,-v,-rfc,-noprompt,-importkeystore -conf=r -providerpath=r		2
|kgx	>xterm
|kill			256			doKill	always
|killall killall5	-e,--exact -I,--ignore-case -g,--process-group -i,--interactive -q,--quiet -r,--regexp -s,--signal=_ -u,--user=_ -v,--verbose -w,--wait -n,--ns=_ -o,--older-than=_ -y,--younger-than=_ -Z,--context=_ -V -m -c=_ -t=_ -z -d+inert					doPkill	always
|killall5	>killall
|kilo	>claude
|kilocode	>claude
|kind	>aliyun
|kinsta	>aliyun
|kiro	>claude
|kiro-cli	>claude
|kitty			256			doKitty
|kldload	>insmod
|kmod dkms	-r,--remove -l -e -c -n,--dry-run,--show-depends+inert -v		4096			doKernel
|knex	>alembic
|knife	>puppet
|kong	>aliyun
|konsole	>xterm
|kopia	--config-file=r -p,--password=_ --log-dir=t --log-level=_ --no-progress --json --all --delete --unsafe-ignore-source --description=_ --tags=_ --parallel=_ --override-username=_ --override-hostname=_ --path=t --bucket=_ --access-key=_ --secret-access-key=_ --endpoint=_ --keep-latest=_ --keep-daily=_ --safety=_ --full					doBackup
|kops	>aliyun
|kotlin jjs nashorn	-e,--eval=e -cp,-classpath,--class-path=_ -J=_ -script=x -m,--main=_ -i,--init=x		1		groovy	doScriptFile
|kotlinc	-e,--eval=e -cp,-classpath,--class-path=_ -J=_ -script=x -m,--main=_ -i,--init=x		1		groovy	doScriptFile			any	-fplugin -fplugin-arg* -wrapper -B -specs -load -Xclang -C -F -pgmF -pgmF* -processorpath -processor -Xplugin* -cp -classpath -syntax -J -r -e -x --eval -imacros -include -Wl* -Xlinker -T -print-prog-name --config
|koyeb	>aliyun
|kpartx	-p=_ -t=_ -l+inert					doMount
|kpcli	>bw
|krakend	>aliyun
|krew	>helm-plugin
|ksh	>sh
|ksql	>snowsql
|kube-linter checkov tfsec tflint									any	-schema-location -schema-location-* --schema-location --external-checks-git --external-checks-dir --external-modules-download-path --bc-api-key --repo-id --custom-check-url --config-file-url --plugins --add-checks -r -R -ignore-filename-pattern
|kube-score	>kubeconform
|kubeadm	>aliyun
|kubecolor	>kubectl
|kubeconform kubeval kube-score						doNothing			any	-schema-location -schema-location-* --schema-location --external-checks-git --external-checks-dir --external-modules-download-path --bc-api-key --repo-id --custom-check-url --config-file-url --plugins --add-checks -r -R -ignore-filename-pattern
|kubectl k kctl kc oc kubecolor	-n,--namespace=_ --context=_ --cluster=_ --kubeconfig=_ --user=_ --token=_ -s,--server=_ --as=_ --as-group=_ --as-uid=_ --cache-dir=_ --log-flush-frequency=_ --password=_ --username=_ --profile=_ --profile-output=w --tls-server-name=_ --vmodule=_ --kuberc=_ --request-timeout=_ -v=_ --certificate-authority=_ --client-key=_ --client-certificate=_ -f,--filename=_ -k,--kustomize=_ -l,--selector=_ -o,--output=_ --dry-run?=_ -c,--container=_ --replicas=_ --image=_ --overrides=_ -p,--patch=_ --type=_ --field-selector=_ --grace-period=_ --timeout=_ --clusterrole=_ --serviceaccount=_ --group=_ --from-literal=_ --from-file=_ --from-env-file=r --port=_ --address=_ --cascade=_ --to-revision=_ --raw=_ --field-manager=_ --sort-by=_ --template=_ --tail=_ --since=_ -A,--all-namespaces --all --force --now		2048			doKubectl
|kubectl-argo-rollouts	>aliyun
|kubectx	>kustomize
|kubens	>kustomize
|kubescape	>kustomize
|kubeval	>kubeconform
|kustomize kubescape stern k9s kubectx kubens popeye						doNothing
|kwallet-query	>secret-tool
|kwalletcli	>secret-tool
|kysely	>alembic
|laZagne.py	>mimikatz
|lagoon	>aliyun
|last	-n,--limit=_ -a,--hostlast -d,--dns -f,--file=r -F,--fulltimes -i,--ip -p,--present=_ -R,--nohostname -s,--since=_ -t,--until=_ -w,--fullnames -x,--system --time-format=_	_*					always
|lastlog	-b,--before=_ -t,--time=_ -u,--user=_ -C,--clear -S,--set -R,--root=D	_*
|launchctl						doLaunchctl
|launchdarkly	>aliyun
|lazagne	>mimikatz
|lckdo	-w -W=_ -e -E=_ -s -x -q	_ C	1
|ld-linux-aarch64.so.1	>ld-linux-x86-64.so.2
|ld-linux-armhf.so.3	>ld-linux-x86-64.so.2
|ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2 ld-linux-armhf.so.3 ld.so	--library-path=_ --preload=_ --audit=_ --inhibit-rpath=_ --argv0=_ --glibc-hwcaps-prepend=_ --glibc-hwcaps-mask=_ --list --verify --list-tunables --list-diagnostics --inhibit-cache	C	1
|ld-linux.so.2	>ld-linux-x86-64.so.2
|ld-musl-aarch64.so.1	>ld-musl-x86_64.so.1
|ld-musl-x86_64.so.1 ld-musl-aarch64.so.1	--list --library-path=_ --preload=_ --argv0=_	C	1
|ld.so	>ld-linux-x86-64.so.2
|ldcli	>aliyun
|ldconfig	>update-alternatives
|ldd		x
|lefthook	>ninja
|lein						doBuildPublish			compile test check deps
|lemonsqueezy	>stripe
|lerna	>ninja
|less	-b,--buffers=_ -D,--color=_ -h,--max-back-scroll=_ -j,--jump-target=_ -k,--lesskey-file=r --lesskey-src=r --lesskey-content=_ -o,--log-file=w -O,--LOG-FILE=w -p,--pattern=_ -P,--prompt=_ -t,--tag=_ -T,--tag-file=r -x,--tabs=_ -y,--max-forw-scroll=_ -z,--window=_ -#,--shift=_ --rscroll=_ --mouse-lines,--wheel-lines=_ --header=_ --line-num-width=_ --status-col-width=_ --modelines=_ -a -A -B -c -C -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R -s -S -u -U -V+inert -w -W -X -~ --use-color --incsearch --mouse --save-marks	r*				doCat
|lftp	-e=_ -c=_ -f=_ -u=_ -p=_ -d -h+inert --rcfile=x					doLftp
|libressl	>openssl
|ligolo	>localtunnel
|ligolo-ng	>localtunnel
|lima	>multipass
|lima-nerdctl	>docker
|limactl	--log-level=_ --log-format=_ --debug --tty,-y,--yes -f,--force -q,--quiet --json --format=_ --name=_ --cpus=_ --memory=_ --disk=_ --arch=_ --vm-type=_ --mount=_ --mount-type=_ --network=_ --set=_ --containerd=_ --dns=_ --preserve-env --start --shell=_ --workdir=_ -r,--recursive --timeout=_					doLXC
|limit-eventlog	>clear-eventlog
|linkchecker	>antora
|linkerd	>aliyun
|links links2 elinks	-dump -source -width=_ -html-numbered-links=_ -codepage=_ -bookmarks-codepage=_ -http-proxy=_ -https-proxy=_ -ftp-proxy=_ -driver=_ -mode=_ -g -no-g -no-connect -anonymous -dump-width=_ -dump-charset=_ -eval=_ -config-file=_ -config-dir=_ -no-numbering -no-references -auto-submit -base-session=_ -session-ring=_ -remote=_ -force-html -localhost -touch-files -verbose=_ -default-mime-type=_	u*	2			doBrowser
|links2	>links
|linode	>aliyun
|linode-cli	>aliyun
|lint-staged	>pytest
|linux32 linux64 i386 x86_64	-B,--32bit -F,--fdpic-funcptrs -I,--short-inode -L,--addr-compat-layout -R,--addr-no-randomize -S,--whole-seconds -T,--sticky-timeouts -X,--read-implies-exec -Z,--mmap-page-zero -3,--3gb --4gb --uname-2.6 -v,--verbose -V	C	1
|linux64	>linux32
|liquibase	>alembic
|litecli	>sqlite3
|lksh	>sh
|lldb	>gdb
|llm-agent	>claude
|ln gln	-t,--target-directory=_ -S,--suffix=_ -s,--symbolic -f,--force -n,--no-dereference -r,--relative -b -i,--interactive -L,--logical -P,--physical -T,--no-target-directory -v,--verbose --backup?=_ -F -d -h					doLink
|locale	-a,--all-locales -c,--category-name -k,--keyword-name -m,--charmaps -v,--verbose -V	_*					always
|localectl	>hostnamectl
|localhost.run	>localtunnel
|localtunnel lt frps gost pagekite tailscale tailscaled expose telebit serveo portmap rathole nps npc ligolo-ng ligolo dnscat dnscat2 ptunnel stunnel sish holesail hypertele gsocket gs-netcat pinggy localhost.run wiretap	-p,--port=_ -s,--subdomain=_ -h,--host=_ -l,--local-host=_ -c,--config=_					doTunnel
|localxpose loclx bore frpc chisel zrok inlets boringproxy devtunnel	-p,--port=_ -s,--subdomain=_ -h,--host=_ -l,--local-host=_ -c,--config=_		4096			doTunnel
|locate	-d,--database=_ -l,-n,--limit=_ -A,--all -b,--basename -c,--count -e,--existing -i,--ignore-case -L,--follow -0,--null -S,--statistics -q,--quiet -r,--regexp=_ --regex -w,--wholename -P,-H,--nofollow	_*					always
|loclx	>localxpose
|locust	-f,--locustfile=_ -H,--host=_ -u,--users=_ -r,--spawn-rate=_ -t,--run-time=_ -T,--tags=_ -E,--exclude-tags=_ -P,--web-port=_ --csv=w --html=w --logfile=w --config=r --master-host=_ --master-port=_ --expect-workers=_ -L,--loglevel=_ --headless --master --worker --autostart --only-summary --json -l,--list					doLoad
|loginctl	--no-pager --no-legend --no-ask-password -p,--property=_ -P=_ --value -a,--all -l,--full --kill-whom,--kill-who=_ -s,--signal=_ -n,--lines=_ -o,--output=_ -H,--host=_ -M,--machine=_ -j,--json=_					doLoginctl
|logname	>whoami
|logoff	>attrib
|logrotate	-f,--force -s,--state=_ -d,--debug+inert -l,--log=_ -m,--mail=c -v,--verbose --skip-state-lock --wait-for-state-lock --usage	r*				doLogrotate
|loksh	>sh
|look	-t,--terminate=_ -a,--alternative -d,--alphanum -f,--ignore-case	_ r				doSortLike	always
|losetup	-o,--offset=_ --sizelimit=_ -b,--sector-size=_ -j,--associated=_ -O,--output=_ -l,--list -a,--all -d,--detach -D,--detach-all -f,--find -c,--set-capacity -J,--json -P,--partscan -r,--read-only -L,--nooverlap					doMount
|love stylua selene luac									any
|lpadmin	-x=_ -p=_ -d=_ -v=_ -u=_					doSpool
|lpass	>bw
|lprm cancel	-P,-h=_ -u=_ -a					doSpool
|ls gls dir gdir vdir gvdir	-I,--ignore=_ -w,--width=_ -T,--tabsize=_ --color?=_ --sort=_ --time=_ --time-style=_ --hide=_ --block-size=_ --format=_ --indicator-style=_ --quoting-style=_ -d,--directory -a,--all -A,--almost-all -b,--escape -B,--ignore-backups -c -C -D,--dired -f -F,--classify -g -G,--no-group -h,--human-readable --si -H -i,--inode -k,--kibibytes -L,--dereference -m -n,--numeric-uid-gid -N,--literal -o -p -q,--hide-control-chars -Q,--quote-name -r,--reverse -R,--recursive -s,--size -S -t -u -U -v -x -X -Z,--context -1 --group-directories-first --full-time --zero --author --file-type --show-control-chars -e -O -P -W -y -@					doLs	always
|lsattr	-R -a -d -l -p -v -V	i*					always
|lsblk	-n,--noheadings -a -d -f,--fs --file=r -i -p,--paths -s,--inverse -t,--topology -w,--width=_ -x,--sort=_ --sysroot=r	_*					always
|lscpu	-a,--all -b,--online -B,--bytes -C,--caches?=_ -c,--offline -e,--extended?=_ -H,--hierarchic?=_ -J,--json -p,--parse?=_ -r,--raw -s,--sysroot=D -x,--hex -y,--physical --output-all -V	_*					always
|lsd	-I,--ignore-glob=_ --depth=_ --sort=_ --color=_ --icon=_ --icon-theme=_ --icon-separator=_ --size=_ --blocks=_ --date=_ --permission=_ --group-dirs=_ --config-file=r --truncate-owner-after=_ --truncate-owner-marker=_ --hyperlink=_ -d,--directory-only -a,--all -A,--almost-all -F,--classify -l,--long --ignore-config -1,--oneline -R,--recursive -h,--human-readable --tree -S,--sizesort -t,--timesort -v,--versionsort -X,--extensionsort -U,--no-sort -r,--reverse --classic --no-symlink --total-size -i,--inode -g,--git -L,--dereference -Z,--context -N,--literal --header --system-protected					doLs	options
|lsof	-a -b -C -h -l -n -N -O -P -R -t -U -v -V -w -X -M -H -A=_ -c=_ -d=_ -D=_ -e=_ -E -f=_ -F?=_ -g?=_ -i?=_ -k=_ -K?=_ -L?=_ -m=_ -o?=_ -p=_ -r?=_ -s?=_ -S?=_ -T?=_ -u=_ -x?=_ -Z?=_ -Q +c=_ +d=i +D=i +L=_					doPgrep	always
|lspci	-b -D -F=r -G -H1 -H2 -i=r -k -m -mm -M -n -nn -O=_ -p=r -P -PP -q -qq -Q -s=_ -d=_ -t -v -vv -vvv -x -xx -xxx -xxxx -A=_	_*					always
|lssecret	>secret-tool
|lsusb	-v,--verbose -s=_ -d=_ -D=r -t,--tree -V	_*					always
|lt	>localtunnel
|ltrace	-a,--align=_ -A=_ -b,--no-signals -c -C,--demangle -D,--debug=_ -e=_ -f -F,--config=r -i -l,--library=_ -L -n,--indent=_ -o,--output=w -p=_ -r -s=_ -S -t -tt -ttt -T -u=_ -w,--where=_ -x=_ -V		1			doProfiler
|lua lua5 luajit luau texlua resty	-e=e -l=_ -i -v -E -W		1		lua	doScriptFile
|lua5	>lua
|luac	>love
|luajit	>lua
|luarocks cpan cpanm vcpkg carthage tlmgr julia-pkg shards dub	--server=_ --source=_ --only-server=_ --mirror=_ -e=_					doOtherManager
|luau	>lua
|lukemftp	>ftp
|lvchange	>pvcreate
|lvconvert	>pvcreate
|lvcreate	>pvcreate
|lvextend	-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_ -m,--mirrors=_ -i,--stripes=_ -I,--stripesize=_					doVolume
|lvm						doLvm
|lvreduce	-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -n=_ -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_					doVolume
|lvremove	>pvcreate
|lvrename	>pvcreate
|lvresize	-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_ -i,--stripes=_ -I,--stripesize=_					doVolume
|lwp-download	-a -s					doFetch
|lwp-request GET HEAD POST	-m=_ -H=_ -c=_ -C=_ -p=_ -t=_ -i=_ -b=_ -o=_ -f -a -d -e -E -s -S -u -U -x -v+inert -h+inert	u*
|lxc incus	--project=_ -c,--config=_ -p,--profile=_ -s,--storage=_ -n,--network=_					doLXC
|lxsudo	>pkexec
|lxterminal	>xterm
|lychee	>antora
|lynx	-cfg=_ -post_data -dump -source -o=_ -T=_ -cols=_ -width=_ -crawl -traversal -nolist -nonumbers -hiddenlinks=_ -accept_all_cookies -cookie_file=r -cookie_save_file=w -auth=_ -pauth=_ -head -mime_header -useragent=_ -display_charset=_ -assume_charset=_ -cmd_script=r -cmd_log=w -base -force_html -stdin -term=_ -error_file=w -listonly -session,-sessionout=w -sessionin,-lss=r -socks5_proxy=h -homepage,-index=u	u*	2			doBrowser
|lz4	-d,--decompress -c,--stdout,--to-stdout -z,--compress -D=r -f,--force -k,--keep -q,--quiet -r -t,--test -v,--verbose -m,--multiple -l --list --rm --best --content-size --no-frame-crc -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best					doCompress
|lz4cat	-B=_ -D=r -f -k -m -q -v --no-crc --no-sparse	r*				doDecoder
|lzma	>xz
|m4	-D,--define=_ -I,--include=_ -U,--undefine=_ -P,--prefix-builtins -s,--synclines -E,--fatal-warnings -Q,--quiet,--silent -F,--freeze-state=w -R,--reload-state=r -o,--error-output=w	r*				doMacros
|mac2unix	>dos2unix
|machinectl	-M,--machine=_ --uid=_ -E,--setenv=_ -p,--property=_ --value -q,--quiet -l,--full --kill-whom=_ -s,--signal=_ --read-only --mkdir --force -n,--lines=_ --max-addresses=_ -o,--output=_ --verify=_ --format=_ --runner=_ -H,--host=_ --no-pager --no-legend --no-ask-password -a,--all --now
	shell	--uid=_ -E,--setenv=_ -M,--machine=_		1			doMachineShell
|maestro									test	--host --env -e --api-key
|mage	>ninja
|magic-wormhole	>transfer.sh-cli
|magick	>convert
|magnum	>aliyun
|mail mailx Mail s-nail heirloom-mailx	-s=_ -a,--attach=_ -A=_ -b=_ -c=_ -r=_ -S=_ -u=_ -f=_ -q=_ -E=_					doMail
|mailgun	>twilio
|mailsend	>swaks
|mailx	>mail
|make gmake mingw32-make remake	-f,--file,--makefile=_ -C,--directory=D -j,--jobs?=_ -n,--just-print,--dry-run,--recon+inert -q,--question+inert -I,--include-dir=r -o,--old-file,--assume-old=_ -W,--what-if,--new-file,--assume-new=_ -l?=_ -s -k -B -e --eval,-E=_ -O?=_ -p,--print-data-base -t,--touch					doMake
|mamba	>conda
|man	-H,--html?=_ -P,--pager=_ -C,--config-file=_ -M,--manpath=_ -S,-s,--sections=_ -L,--locale=_ -m,--systems=_ -e,--extension=_ -R,--recode=_ -E,--encoding=_ -p,--preprocessor=_ -r,--prompt=_ -T,--troff-device?=_ -X,--gxditview?=_ -a,--all -d,--debug -D,--default -f,--whatis -k,--apropos -K,--global-apropos -l,--local-file -w,--where,--path,--location -W,--where-cat -7,--ascii -I,--match-case -i,--ignore-case -t,--troff -Z,--ditroff --regex --wildcard --names-only --no-subpages					doMan
|manage.py django-admin django-admin.py	--settings=_ --database=_ --noinput,--no-input --plan+inert -c=_					doDjango
|mariadb	>mysql
|mariadb-admin	>mysqladmin
|mariadb-dump	>mysqldump
|mariadbd-safe	>mysqld_safe
|marimo									edit run check export	--host --no-token --proxy --allow-origins --token-password --include-code
|markdownlint-cli	>antora
|markdownlint-cli2	>antora
|mas	>installer
|masscan	-p,--ports,--port=_ -iL=r -oJ=w -oX=w -oL=w --rate,--max-rate=_ -o=w -B=_ -i=_ -a,--addresses=h -b=_ -c,--conf=r --echo --banners --exclude=_ --excludefile=r --includefile=r --router-mac=_ --source-ip,--adapter-ip=_ --source-port,--adapter-port=_ --adapter-mac=_ -e,--adapter,--interface=_ --ping --readscan=r -oB=w -oG=w --open --open-only --wait=_ --retries=_ --shard=_ --seed=_ --pcap=w --offline --top-ports=_ --iflist --resume=r --http-user-agent=_ -v -V --nmap --append-output --randomize-hosts -sS -Pn -n		2			doScan
|mate-terminal	>xterm
|materialize	>snowsql
|matlab	-batch=e -r=e -nodisplay -nodesktop -nosplash -nojvm -noFigureWindows -sd=D -logfile=w -h -n -useStartupFolderPref -singleCompThread -automation -wait -minimize -c=_ -nouserjavapath -licmode=_		3		script	doScriptFile
|matrix-commander	>slackcat
|maturin	>wasm-pack
|maven	>mvn
|mawk	-f=x -F=_ -v=_ -h+inert --dump-functions		1		awk	doAwk
|maxima	-b,--batch=x -B,--batch-string=e -r,--run-string=e -p,--preload=x --init=x --batch-lisp=x -l,--lisp=_ -u,--use-version=_ -X,--lisp-options=_ -s,--server=_ --userdir=D --very-quiet -q,--quiet --no-init,--norc -v,--verbose --version -d,--directories -g,--enable-lisp-debugger		1		script	doScriptFile
|mc mcli minio-client	--dry-run,--fake+inert -C,--config-dir=_ --older-than=_ --newer-than=_ --attr=_ --limit-upload=_ -r,--recursive --force --remove --dangerous					doTransfer
|mcli	>mc
|mclient	-s,--statement=q -d,--database=_ -h,--host=_ -p,--port=_ -u,--user=_ -l,--language=_ -f,--format=_ -E,--encoding=_ -L,--log=w -D,--dump -e,--echo -i,--interactive	r*				doSQLClient
|md5	-s=_ -c=_ --string=_ --check=_ -p -q,--quiet -r,--reverse -t,--time-trial -x,--self-test -n	i*					always
|md5sum gmd5sum sha1sum gsha1sum sha224sum gsha224sum sha256sum gsha256sum sha384sum gsha384sum sha512sum gsha512sum	-b,--binary -c,--check -t,--text -z,--zero --tag --ignore-missing --quiet --status --strict -w,--warn	i*					always
|mdadm	-C,--create -S,--stop --zero-superblock -f,--fail -r,--remove -l=_ -n=_ -D,--detail -Q,--query -E,--examine --misc --dump=t --restore=r					doMdadm
|mdbook									build test serve clean watch	-n --hostname
|mdls	>readelf
|medusa	>alembic
|memcached-tool memccat memcrm memcflush memcstat memcping						doMemcached
|memccat	>memcached-tool
|memcflush	>memcached-tool
|memcping	>memcached-tool
|memcrm	>memcached-tool
|memcstat	>memcached-tool
|memray	>coverage
|memusage	-p,--png=w -d,--data=w -n,--progname=_ -u,--unbuffered -b,--buffer=_ --no-timer -m,--mmap -t,--time-based -T,--total --title=_ -x,--x-size=_ -y,--y-size=_ -V		1			doProfiler
|mentat	>claude
|meson	-f,--file,--justfile,--taskfile,--rakefile=_ -C,-d,--working-directory,--directory=D -j=_ -t=_ -e=_ -s,--session=_ --set=_ -n,--dry-run,--dry+inert					doTask			setup compile test configure introspect	--wrap-mode --native-file --cross-file
|messagebird	>twilio
|micro	-config-dir=_ -startpos=_ -colorscheme=_ -filetype=_ -plugin=_ -clean -options -debug -profile -version		2			doEditor
|microdnf	>apt-get
|microk8s	>aliyun
|micromamba	-n,--name=_ -p,--prefix=_ -c,--channel=_ -f,--file=r -d,--dry-run+inert -y,--yes --cwd=D --no-capture-output --live-stream		1			doConda
|micropython	>python
|migrate	>alembic
|mikro-orm	>alembic
|mimikatz lazagne laZagne.py secretsdump.py impacket-secretsdump hashdump pypykatz gsecdump creddump chromepass hindsight dploot						doStealer
|mina	>cap
|mingw32-make	>make
|minikube	>aliyun
|minio-client	>mc
|minisign	-s=_ -p=_ -c=_ -t=_ -m=r -x=w					doKeygen
|mise rtx	-C,--cd=_ -E,--env=_ -j,--jobs=_ -P,--profile=_							list *,current,which *,outdated *
	exec x	-c,--command=c -j,--jobs=_ -C,--cd=_		1			doAfterDash
|mistral-vibe	>claude
|mit-scheme	>clojure
|mix	-r,--repo=_ -n,--step=_ --to=_ -e=_		1			doMix		deps,deps.tree
|mkdir gmkdir	-m,--mode=_ -Z,--context?=_ -p,--parents -v,--verbose					doMkdir
|mkdosfs	>mkfs.vfat
|mke2fs	>mkfs
|mkfifo	-m,--mode=_ -Z,--context?=_	o*
|mkfs mke2fs mkfs.btrfs mkfs.exfat mkfs.minix mkfs.jfs mkfs.reiserfs mkfs.nilfs2 mkfs.bcachefs mkfs.erofs mkfs.udf mkreiserfs mkswap newfs newfs_apfs newfs_hfs newfs_msdos zfs_format	-t,--type=_ -L,--label=_ -O=_ -b=_ -m=_ -i=_ -U=_ -E=_ -N=_ -d=_ -l=_ -s=_ -S -f -V+inert -z=w					doFormat
|mkfs.bcachefs	>mkfs
|mkfs.btrfs	>mkfs
|mkfs.erofs	>mkfs
|mkfs.exfat	>mkfs
|mkfs.ext2 mkfs.ext3 mkfs.ext4	-t=_ -L=_ -O=_ -b=_ -m=_ -i=_ -U=_ -E=_ -N=_ -d=_ -l=_ -V+inert -G=_ -I=_ -J=_ -e=_ -g=_ -o=_ -r=_					doFormat
|mkfs.ext3	>mkfs.ext2
|mkfs.ext4	>mkfs.ext2
|mkfs.f2fs	-O=_ -U=_ -E=_ -d=_ -l=_ -V+inert -T=_ -a=_ -g=_ -o=_ -w=_					doFormat
|mkfs.fat	-b=_ -m=_ -i=_ -l=_ -s=_ -S=_ -V+inert --codepage=_ -D=_ -F=_ -M=_ -R=_ -g=_ -h=_ -n=_ -f=_ -r=_					doFormat
|mkfs.jfs	>mkfs
|mkfs.minix	>mkfs
|mkfs.msdos	>mkfs.vfat
|mkfs.nilfs2	>mkfs
|mkfs.ntfs mkntfs	-L,--label=_ -U,--with-uuid -l,--license -s=_ -S=_ -V+inert -c,--cluster-size=_ -H,--heads=_ -z,--mft-zone-multiplier=_ -p,--partition-start=_ --sectors-per-track=_					doFormat
|mkfs.reiserfs	>mkfs
|mkfs.udf	>mkfs
|mkfs.vfat mkfs.msdos mkdosfs	-b=_ -m=_ -i=_ -l=_ -s=_ -S=_ -V+inert --codepage=_ -D=_ -F=_ -M=_ -R=_ -g=_ -h=_ -n=_					doFormat
|mkfs.xfs	-L=_ -b=_ -m=_ -i=_ -d=_ -s=_ -V+inert -n=_ -r=_ -p=r -c=_					doFormat
|mkinitcpio	-A,--addhooks=_ -c,--config=r -D,--generatedir=t -d=t -g,--generate=w -H,--hookhelp=_ -k,--kernel=_ -L,--listhooks -M,--automods -n,--nocolor -p,--preset=_ -P,--allpresets -R,--remove -r,--moduleroot=D -S,--skiphooks=_ -s,--save -t,--builddir=t -V -v,--verbose -z,--compress=_ -U,--uki=w --cmdline=r --microcode=r --splash=r --uefistub=r --kernelimage=r					doBoot
|mklink	/d /h /j		544			doMklink
|mknod	-m,--mode=_ -Z,--context?=_	o
|mkntfs	>mkfs.ntfs
|mkreiserfs	>mkfs
|mksh	>sh
|mkswap	>mkfs
|mktemp gmktemp	-p,--tmpdir?=_ -t --suffix=_ -d,--directory -q,--quiet -u,--dry-run					doMktemp	always
|mlflow
	gc				4
	experiments
		delete				2
		search create csv restore rename
	runs
		delete				2
		list describe restore
	deployments sagemaker
		create update deploy delete update-endpoint create-endpoint delete-endpoint				1
		get list help predict
	ui server run doctor artifacts
|mlocate plocate	-d,--database=_ -l,-n,--limit=_ -A,--all -b,--basename -c,--count -i,--ignore-case -N,--literal -0,--null -r,--regexp=_ --regex -w,--wholename -e,--existing -L,--follow -P,-H,--nofollow -S,--statistics -q,--quiet	_*					always
|mocha	>pytest
|modprobe	>insmod
|mogrify	>convert
|molecule
	install	-r,--role-file=r -p,--roles-path=w -s,--server=_	p*
	collection
		install	-r,--requirements-file=r -p,--collections-path=w -s,--server=_	p*
		publish		r*		8
	role
		install	-r,--role-file=r -p,--roles-path=w	p*
		remove		_*		2
|mollie	>stripe
|monetdb	>snowsql
|mongo	>mongosh
|mongocli	>aliyun
|mongodump bsondump mongostat mongotop	-o,--out=w --archive?=w --uri=_ -d,--db=_ -c,--collection=_ -h,--host=_ -u=_ -p=_					doNothing
|mongoexport	-o,--out=w --uri=_ -h,--host=_ --port=_ -u,--username=_ -p,--password=_ -d,--db=_ -c,--collection=_ -f,--fields=_ --fieldFile=r -q,--query=_ --queryFile=r --type=_ --sort=_ --skip=_ --limit=_ --config=r --sslPEMKeyFile=r --sslCAFile=r --authenticationDatabase=_ --jsonFormat=_ --jsonArray --pretty --ssl --noHeaderLine --forceTableScan -v,--verbose --quiet					doDump
|mongoimport	>pg_restore
|mongorestore	>pg_restore
|mongosh mongo	--eval=_ -f,--file=_ -u,--username=_ -p,--password=_ --host=_ --port=_ --authenticationDatabase=_ -h+inert				mongo	doMongo
|mongostat	>mongodump
|mongotop	>mongodump
|monit	-c=r -d=_ -g=_ -l=w -p=w -s=w -I -i -t -v -vv -H=r -V -B					doSv
|montage	>convert
|more	-n,--lines=_ -d,--silent -l,--logical -e,--exit-on-eof -f,--no-pause -p,--print-over -c,--clean-print -s,--squeeze -u,--plain	r*				doCat
|morph	>cap
|mosh	-E=w -p=_ -V+inert --ssh=P --server=_ --experimental-remote-ip=_ --port=_ --predict=_ --client=P		1			doSSH
|mosquitto_ctrl	>aliyun
|most	-c -1 -b -k -r -s -t -v -w -z	r*				doCat
|mount	-t,--types=_ -o,--options=_ -O,--test-opts=_ -L,--label=_ -U,--uuid=_ -N,--namespace=_ -T,--fstab=r --source=_ --target=_ --target-prefix=_ --options-mode=_ --options-source=_ -p,--pass-fd=_ -f,--fake+inert -l,--show-labels					doMount
|move-item rename-item	-Path,-LiteralPath=_ -Destination,-NewName=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doMoveItem
|mpack	>swaks
|mrsk	>cap
|mruby	>ruby
|msbuild			768			doProxyExec			any	-logger -l -distributedlogger -dl -rsp -ignoreprojectextensions -toolsversion
|msfconsole	-E,--environment=_ -M,--migration-path=t -n,--no-database -y,--yaml=r -c=r -v,-V --defer-module-loads -m,--module-path=t -a,--ask -H,--history-file=w -l,--logger=_ -L,--real-readline -o,--output=w -p,--plugin=_ -q,--quiet -r,--resource=r -x,--execute-command=_		2			doIntrusion
|msfvenom	-l,--list=_ -p,--payload=_ --list-options -f,--format=_ -e,--encoder=_ --service-name=_ --sec-name=_ --smallest --encrypt=_ --encrypt-key=_ --encrypt-iv=_ -a,--arch=_ --platform=_ -o,--out=w -b,--bad-chars=_ -n,--nopsled=_ --pad-nops -s,--space=_ --encoder-space=_ -i,--iterations=_ -c,--add-code=r -x,--template=r -k,--keep -v,--var-name=_ -t,--timeout=_		2			doIntrusion
|mshta			512			doMshta
|msiexec	/i,/package=_ /x=_ /q /qn		544			doMsiexec
|msmtp	>sendmail
|mssql-cli	>sqlcmd
|mtr	-4 -6 -F,--filename=r -u,--udp -T,--tcp -I,--interface=_ -a,--address=_ -f,--first-ttl=_ -m,--max-ttl=_ -U,--max-unknown=_ -P,--port=_ -L,--localport=_ -s,--psize=_ -B,--bitpattern=_ -i,--interval=_ -G,--gracetime=_ -Q,--tos=_ -e,--mpls -Z,--timeout=_ -M,--mark=_ -r,--report -w,--report-wide -c,--report-cycles=_ -j,--json -x,--xml -C,--csv -l,--raw -p,--split -t,--curses --displaymode=_ -g,--gtk -n,--no-dns -b,--show-ips -o,--order=_ -y,--ipinfo=_ -z,--aslookup -S,--sctp -v	h
|mujs	-i -s		1		js	doScriptFile
|multipass lima orb	--working-directory,-d=_ --workdir=_ --shell=_ -c,--cpus=_ -m,--memory=_ --name=_ --disk=_ --network=_ --cloud-init=r --mount=_ --bridged --timeout=_ --purge,-p --all --format=_ --force --type=_					doLXC
|mussh	>pdsh
|mutt neomutt	-a=_ -s=_ -b=_ -c=_ -e=_ -F=_ -H=_ -i=_ -f=_					doMutt
|mv gmv	-t,--target-directory=_ -S,--suffix=_ -f,--force+force -T,--no-target-directory -n,--no-clobber --backup?=_ -i,--interactive -u -u,--update?=_ -v,--verbose -b --strip-trailing-slashes -Z --exchange --no-copy					doMove	always
|mvn mvnw maven	-f,--file=_ -P=_ -pl=_ -s,--settings=_ -T=_ -D=_ -am -q -B -o -gs=_ -U -e -X -N -C -c -fae -ff -fn -l=w -t=_ -b=_ -ntp -nsu -rf=_ -emp=_ -ep=_		2			doMaven
|mvnw	>mvn
|mycli	>mysql
|mydumper	-o,--outputdir=w -h,--host=_ -P,--port=_ -u,--user=_ -p,--password=_ -S,--socket=_ -B,--database=_ -T,--tables-list=_ -x,--regex=_ -i,--ignore-engines=_ -r,--rows=_ -s,--statement-size=_ -F,--chunk-filesize=_ -t,--threads=_ -L,--logfile=w -l,--long-query-guard=_ -X,--snapshot-interval=_ -O,--omit-from-file=r -v,--verbose=_ --defaults-file=r -m,--no-schemas -d,--no-data -G,--triggers -E,--events -R,--routines -c,--compress -e,--build-empty-files -k,--no-locks -K,--kill-long-queries -D,--daemon -a,--ask-password -V,--version+inert					doDump
|myloader	>pg_restore
|mypy	-v,--verbose -m,--module=_ -p,--package=_ -c,--command=_ --config-file=r --cache-dir=t --python-version=_ --platform=_ --python-executable=P --strict --exclude=_ --ignore-missing-imports --follow-imports=_ --install-types --non-interactive --junit-xml=w --html-report=t --txt-report=t --xml-report=t --linecount-report=t --any-exprs-report=t --cobertura-xml-report=t --show-error-codes --pretty --no-incremental --explicit-package-bases --namespace-packages --warn-unused-ignores --disable-error-code=_ --enable-error-code=_ --shadow-file=r					doTestRunner
|mysql mariadb mycli tidb-client	-e,--execute=q -h,--host=_ -u,--user=_ -p,--password?=_ -P,--port=_ -D,--database=_ -S,--socket=_ --defaults-file=_ --defaults-extra-file=_ --init-command=q --tee=w --pager=P --ssl-ca=_ --default-character-set=_ --protocol=_ --delimiter=_ --sql -f,--force -V+inert -?+inert				mysql	doSQLClient
|mysqladmin mariadb-admin	-u,--user=_ -h,--host=_ -p,--password?=_ -P,--port=_ -S,--socket=_ -f,--force -C,--compress -c,--count=_ -i,--sleep=_ -s,--silent -v,--verbose -E,--vertical -w,--wait?=_ -b,--no-beep -r,--relative --defaults-file=r --ssl-ca=r --ssl-key=r --protocol=_					doMysqladmin
|mysqld_safe mariadbd-safe	--defaults-file=r --defaults-extra-file=r --basedir=_ --datadir=_ --ledir=_ --log-error=a --mysqld=_ --user=_ --port=_ --socket=_ --pid-file=w --nice=_ --timezone=_ --skip-kill-mysqld --skip-syslog --syslog
|mysqldump mariadb-dump	-r,--result-file=w -h,--host=_ -P,--port=_ -u,--user=_ -p,--password?=_ -S,--socket=_ -T,--tab=t -w,--where=_ --ignore-table=_ --defaults-file=r --defaults-extra-file=r --default-character-set=_ --ssl-ca=r --ssl-cert=r --ssl-key=r --set-gtid-purged=_ --max-allowed-packet=_ --master-data?=_ --source-data?=_ --log-error=w --fields-terminated-by=_ --protocol=_ --compatible=_ -A,--all-databases -B,--databases -c,--complete-insert -C,--compress -d,--no-data -E,--events -e,--extended-insert -F,--flush-logs -f,--force -i,--comments -K,--disable-keys -l,--lock-tables -n,--no-create-db -q,--quick -Q,--quote-names -R,--routines -t,--no-create-info -v,--verbose -x,--lock-all-tables -X,--xml -Y,--all-tablespaces --single-transaction --add-drop-table --tables -V+inert					doDump
|mysqlimport	>pg_restore
|mysqlsh	-e,--execute=q -f,--file=_ -h,--host,-u,--user,-P,--port,-D,--schema,-S,--socket,--uri=_ -p,--password?=_ --pager=P --sql,--js,--py,--force -V+inert				mysql	doSQLClient
|naabu	-host=h -l,-list=r -eh,-exclude-hosts=_ -ef,-exclude-file=r -p,-port=_ -tp,-top-ports=_ -ep,-exclude-ports=_ -pf,-ports-file=r -ec,-exclude-cdn -cdn -c=_ -rate=_ -o,-output=w -j,-json -csv -sa,-scan-all-ips -s,-scan-type=_ -source-ip=_ -il,-interface-list -i,-interface=_ -nmap -nmap-cli=c -r=_ -proxy=_ -sD,-service-discovery -sV,-service-version -timeout=_ -retries=_ -verify -silent -v,-verbose -version -stats -passive -Pn -sn,-host-discovery -config=r -resume -stream		2			doScan
|naga	>clang-format
|nah	>cc-safety-net
|namecheap	>aliyun
|namei	-x,--mountpoints -m,--modes -o,--owners -l,--long -n,--nosymlinks -v,--vertical -Z,--context	i*					always
|nano rnano pico	-f,--rcfile=r -C,--backupdir=_ -J,--guidestripe=_ -o,--operatingdir=_ -Q,--quotestr=_ -r,--fill=_ -s,--speller=P -T,--tabsize=_ -X,--wordchars=_ -Y,--syntax=_ -A,--smarthome -B,--backup -D,--boldtext -E,--tabstospaces -F,--multibuffer -G,--locking -H,--historylog -I,--ignorercfiles -K,--rebinddelete,-d -L,--nonewlines -M,--trimblanks -N,--noconvert -O,--bookstyle -P,--positionlog -R,--restricted -S,--softwrap -U,--quickblank -V -W,--wordbounds -Z,--zap -a,--atblanks -b,--breaklonglines -c,--constantshow -e,--emptyline -g,--showcursor -h -i,--autoindent -j,--jumpyscrolling -k,--cutfromcursor -l,--linenumbers -m,--mouse -n,--noread -p,--preserve -t,--saveonexit -u,--unix -v,--view -w,--nowrap -x,--nohelp -y,--afterends -z,--listsyntaxes -q,--indicator -%,--stateflags -_,--minibar -0,--zero -!,--magic					doEditor
|nashorn	>kotlin
|nats	>aliyun
|nawk	-f=x -F=_ -v=_ -safe -d --csv		1		awk	doAwk
|nbd-client	-d,--disconnect					doMount
|nbdime	>papermill
|nbqa	>papermill
|nbstripout	>papermill
|nc netcat nc.traditional nc.openbsd pnetcat cryptcat sbd	-e,--exec=_ -c,--sh-exec=_ --lua-exec=_ -p,--source-port=_ -s,--source=_ -w,--wait=_ -i,--idle-timeout=_ -q=_ -x,--proxy,-X=_ --proxy-type=_ --proxy-auth=_ -o,--output=w -O=_ -T=_ -I=_ -V=_ -m,--max-conns=_ -d --delay=_ -g=_ -G=_ -P=_ -M=_ --ssl-cert=_ --ssl-key=_ --allow=_ --deny=_ -h,--help+inert --version+inert -l,--listen -u,--udp -v,--verbose -n,--nodns -z -k,--keep-open -4 -6 -t,--telnet -N -U -D -S -C -b -r -F -h+inert -a -R					doNetcat
|nc.openbsd	>nc
|nc.traditional	>nc
|ncal	>seq
|ncat	-e,--exec=_ -c,--sh-exec=_ --lua-exec=_ -p,--source-port=_ -s,--source=_ -w,--wait=_ -i,--idle-timeout=_ -x,--hex-dump=w --proxy=_ --proxy-type=_ --proxy-auth=_ -o,--output=w -m,--max-conns=_ -d,--delay=_ -G=_ --ssl-cert,--ssl-key=r --allow,--deny=_ -h,--help+inert --version+inert -l,--listen -u,--udp -v,--verbose -n,--nodns -k,--keep-open -t,--telnet -h+inert --proxy-dns=_ --allowfile,--denyfile=r --ssl					doNetcat
|ncdu	-o=w -f=r -e,--extended --exclude=_ -X,--exclude-from=r -L,--follow-symlinks --color=_ --graph-style=_ --confirm-quit -0 -1 -2 -q,--slow-ui-updates -r -rr -x,--one-file-system --si --exclude-caches --exclude-kernfs --ignore-config -t,--threads=_ -c,--compress -O=w	i*
|ncftpget	-u=_ -p=_ -P=_ -f=r -R -A -a -F -z -Z -DD -E -V -v -b -T -t=_ -W=_ -d=w -r=_ -C					doNcftp
|ncftpput	-u=_ -p=_ -P=_ -f=_ -R -A -a -F -z -Z -DD -E -V -v -b -m -T=_ -t=_ -S=_ -W=_ -d=w -r=_ -C					doNcftp
|ncli	>aliyun
|ncrack	-iX=r -iN=r -iL=r --exclude=_ --excludefile=r -p=_ -m=_ -g=_ -T=_ --connection-limit=_ --stealthy-linear -U=r -P=r --user=_ --pass=_ --passwords-first --pairwise -oN=w -oX=w -oA=w -v -d --nsock-trace=_ --log-errors --append-output --resume=r --save=w -f -6 -sL,--list --datadir=t --proxy=_ -V		2			doIntrusion
|neato	>antora
|neomutt	>mutt
|neon	>aliyun
|neonctl	>aliyun
|nerdctl	>docker
|nerdctl-compose	>docker-compose
|net net1			552			doNet
|net1	>net
|netcat	>nc
|netexec	>evil-winrm
|netlify	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doCloud		status,sites:list
|netsh			256			doNetsh
|netsh-firewall	>iptables-restore
|netstat	-n,--numeric -a -f,--file=r -F -i -p,--programs,--program -s,--statistics -A,--protocol=_	_*					words
|networksetup	>ifconfig
|neutron	>aliyun
|new-aduser	>new-localuser
|new-item	-Path=_ -Name=_ -ItemType,-Type=_ -Value,-Target=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doNewItem
|new-itemproperty	>set-itemproperty
|new-localuser set-localuser remove-localuser add-localgroupmember remove-localgroupmember new-aduser remove-aduser set-adaccountpassword add-adgroupmember remove-adobject remove-adgroup disable-adaccount remove-adorganizationalunit enable-localuser disable-localuser	-Name=_ -Group=_ -Member=_ -Password=_ -Identity=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doAccounts
|new-netfirewallrule	>set-mppreference
|new-scheduledtask	>register-scheduledtask
|new-service	>register-scheduledtask
|newfs	>mkfs
|newfs_apfs	>mkfs
|newfs_hfs	>mkfs
|newfs_msdos	>mkfs
|newgrp						doNewgrp
|newlisp	>clojure
|newrelic	>aliyun
|newusers	>useradd
|nexmo	>twilio
|next	>pytest
|nft	>iptables-restore
|ngrep	-d=_ -I=r -O=w -r=r -w -o=w -h -V -q -i -x -v -e -l -D -t -T -p -M -c=_ -n=_ -N -A=_ -s=_ -S=_ -W=_ -P=_ -F=r -K=_ -R -u -L -X -C	_*
|ngrok	--config=_ --region=_ --domain,--hostname=_ --subdomain=_ --log=_ --authtoken=_ --url=_					doTunnel
|nhost	>aliyun
|ni	>npm
|nice	-n,--adjustment=_	C	1				always
|nikto setoolkit	-h,-host,-url=h -p,-port=_ -o,-output=w -Format=_ -Tuning=_ -Plugins=_ -id=_ -ssl -nossl -root=_ -C,-Cgidirs=_ -config=r -D,-Display=_ -evasion=_ -maxtime=_ -mutate=_ -nolookup -nocache -no404 -Pause=_ -timeout=_ -T=_ -useproxy?=_ -Userdbs=_ -vhost=_ -Version -update -dbcheck -followredirects -ask=_ -useragent=_ -Save=t -RSAcert=r -key=r -until=_		2			doIntrusion
|nimble	--server=_ --source=_ --only-server=_ --mirror=_ -e=_					doOtherManager			build test check tasks
|ninja waf pants just task poe devcontainer mage invoke inv nox tox doit jake gulp grunt lerna nx turbo rush pre-commit lefthook husky	-f,--file,--justfile,--taskfile,--rakefile=_ -C,-d,--working-directory,--directory=D -j=_ -t=_ -e=_ -s,--session=_ --set=_ -n,--dry-run,--dry+inert					doTask
|nix	>apt-get
|nix-env	>apt-get
|nix-shell	>apt-get
|nixos-rebuild	>cap
|njs	-a -c=e -d -f -j=_ -m=x -n=_ -p=D -q -r -s -t=_ -u -v,-V		1		js	doScriptFile
|nkf	-j -s -e -w -J -S -E -W -m -u -t -g -d -c -l -Z -x -b --guess	r*				doSortLike
|nl gnl	-b,--body-numbering=_ -d,--section-delimiter=_ -f,--footer-numbering=_ -h,--header-numbering=_ -i,--line-increment=_ -l,--join-blank-lines=_ -n,--number-format=_ -s,--number-separator=_ -v,--starting-line-number=_ -w,--number-width=_ -p,--no-renumber	r*				doCat	always
|nm							words			--pl*
|nmap	-p=_ -iL=r -oN=w -oX=w -oG=w -oA=w -oS=w --script=_ --script-args=_ --exclude=_ --excludefile=r -D=_ -S=_ -e=_ -g=_ --source-port=_ --data=_ --data-string=_ --max-rate=_ --min-rate=_ -T=_ --top-ports=_ --datadir=_ -iR=_ --dns-servers=_ --proxies=_ --host-timeout=_ --max-retries=_ -sS -sT -sA -sW -sM -sU -sN -sF -sX -sn -sL -sP -sV -sC -sO -sY -sZ -sI=_ -b=_ -Pn -PS?=_ -PA?=_ -PU?=_ -PE -PP -PM -PO?=_ -PR -n -R -O -A -F -r -v -vv -d -6 -f -T0 -T1 -T2 -T3 -T4 -T5 --traceroute --open --reason --system-dns --packet-trace --iflist --append-output --resume=o --stylesheet=_ --webxml --no-stylesheet --privileged --unprivileged --send-eth --send-ip --version-intensity=_ --version-light --version-all --version-trace --script-trace --script-updatedb --script-help=_ --script-args-file=r --osscan-limit --osscan-guess --port-ratio=_ --exclude-ports=_ --min-hostgroup=_ --max-hostgroup=_ --min-parallelism=_ --max-parallelism=_ --min-rtt-timeout=_ --max-rtt-timeout=_ --initial-rtt-timeout=_ --scan-delay=_ --max-scan-delay=_ --mtu=_ --data-length=_ --ip-options=_ --ttl=_ --spoof-mac=_ --badsum --servicedb=r --versiondb=r -V --stats-every=_		2			doScan
|nmcli	>ifconfig
|nocache	-n=_	C	1
|node nodejs electron	-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ --loader,--experimental-loader=_ -C,--conditions=_ --env-file=_ --inspect?=_ --inspect-brk?=_ -c,--check+inert --test --run=_ --title=_ --icu-data-dir=_ --openssl-config=_ --watch-path=_ --input-type=_ -i,--interactive -v,--version -h,--help --watch --no-warnings --no-deprecation --trace-warnings --trace-deprecation --trace-uncaught --throw-deprecation --pending-deprecation --enable-source-maps --expose-gc --harmony --preserve-symlinks --experimental-modules --experimental-vm-modules --experimental-strip-types --experimental-transform-types --experimental-test-coverage --experimental-json-modules --experimental-sqlite --test-only --prof --cpu-prof --heap-prof --abort-on-uncaught-exception --force-color --no-experimental-fetch --no-experimental-strip-types --test-update-snapshots		1		js	doNode
|node-pg-migrate	>alembic
|nodejs	>node
|nodemon						doTestRunner			any	--exec -x --require -r --raw-command --post-run-command --rerun-fails-report --jsonfile-timing-events --toolexec --plugins --plugin --formatter -d --delay --ext --build.* --root
|nodenv	>rbenv
|nodetool	-h=_ -p=_ -u=_ -pw=_					doStoreVerb
|nohup		C	1				always
|nologin	>sh
|nomad	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doCloud			validate fmt inspect	-address -region -token
|nopaste	>pastebinit
|nordpass	>bw
|northflank	>aliyun
|noti	-t,--title=_ -m,--message=_ -b,--banner -s,--speech -w,--pwatch=_ -f,--file=r -k,--slack -o,--pushover -p,--pushbullet -v -e	C	1
|noti-send	>slackcat
|nova	>aliyun
|now	>aliyun
|nox	>ninja
|npc	>localtunnel
|nping	--tcp-connect --tcp --udp --icmp --arp --tr,--traceroute -p,--dest-port=_ -g,--source-port=_ --flags=_ --win=_ --data=_ --data-string=_ --data-length=_ -c,--count=_ --delay=_ --rate=_ -e,--interface=_ -S,--source-ip=_ --ttl=_ --echo-client,--ec=_ --echo-server,--es=_ -N,--no-capture -v -q -d -H,--hide-sent -4 -6 -V --privileged --unprivileged					doPing
|npm pnpm yarn ni cnpm	--prefix,-C,--dir,--cwd=_ --registry=_ -w,--workspace,--filter,-F=_ --tag=_ --otp=_ --userconfig,--globalconfig,--use-yarnrc=_ --script-shell=P --node-options=_ --cache=_ --loglevel=_ -c,--call=c --dry-run+inert --omit=_ --include=_ --access=_ --scope=_ --depth=_ --store-dir=_ --modules-dir=_ --virtual-store-dir=_ --reporter=_ --network-concurrency=_ --changed-files-ignore-pattern=_ --test-pattern=_ --use-node-version=_ --mutex=_ --modules-folder=_ --cache-folder=_ --network-timeout=_ --link-folder=_ --proxy=_ --https-proxy=_ --emoji=_ -D,--save-dev -S,--save -E -O -f,--force+force --ignore-scripts --package,-p=_ -g,--global+global --location=_+global		2048			doNpm
|npm-run-all	>pytest
|nproc	--all --ignore=_	_*					always
|nps	>localtunnel
|npx bunx pnpx pnpm-dlx yarn-dlx	-y,--yes -q,--quiet -s,--silent --no-install --no --ignore-existing --prefer-offline --prefer-online --offline --bun --verbose --include-workspace-root --workspaces --loglevel=_ --prefix=_ -p,--package=_ -c,--call=c --registry=_ --userconfig=_ -w,--workspace=_ --cache=_ --node-options=_ --shell=_		1			doNpx
|nsenter	-t,--target=_ -m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -C,--cgroup?=_ -U,--user?=_ -T,--time?=_ -S,--setuid=_ -G,--setgid=_ -r,--root?=_ -w,--wd?=_ -W,--wdns=_ -a,--all -F,--no-fork -Z,--follow-context --preserve-credentials --keep-caps --user-parent -e,--env -c,--join-cgroup -N,--net-socket=_ -V		1			doNsenter
|nslookup dnslookup						doLookup
|ntdsutil	>esentutl
|ntfsclone	>dump
|ntfy	>slackcat
|ntl	>aliyun
|ntpdate	>timedatectl
|nu nushell elvish xonsh	-c,--commands=c -e,--execute=c --config=_ --env-config=_		1			doOtherShell
|nuclei	-u,-target=u -l,-list=r -resume=r -sa,-scan-all-ips -t,-templates=r -tu,-template-url=u -w,-workflows=r -nt,-new-templates -as,-automatic-scan -validate -td,-template-display -tl -a,-author=_ -tags=_ -etags=_ -itags=_ -id,-template-id=_ -eid,-exclude-id=_ -s,-severity=_ -es,-exclude-severity=_ -pt,-type=_ -o,-output=w -sresp,-store-resp -srd,-store-resp-dir=t -silent -nc,-no-color -j,-jsonl -me,-markdown-export=t -se,-sarif-export=w -je,-json-export=w -config=r -H,-header=_ -V,-var=_ -r,-resolvers=r -headless -code -sr,-system-resolvers -ps,-passive -iserver,-interactsh-server=_ -itoken,-interactsh-token=_ -ni,-no-interactsh -fuzz -rl,-rate-limit=_ -bs,-bulk-size=_ -c,-concurrency=_ -timeout=_ -retries=_ -p,-proxy=_ -v,-verbose -debug -version -up,-update -ut,-update-templates -stats -et,-exclude-templates=r -cup,-cloud-upload		2			doIntrusion
|nuget	-Source=_ -ApiKey=_ -OutputDirectory=_ -Version=_		2			doDotnet
|nullmailer-inject	>sendmail
|numactl	-C,--physcpubind=_ -N,--cpunodebind=_ -m,--membind=_ -i,--interleave=_ -p,--preferred=_ -l -s,--show -H,--hardware -a,--all -P,--preferred-many=_ -w,--weighted-interleave=_ --localalloc -b,--balancing -V --file=w	C	1
|numfmt gnumfmt	-d,--delimiter=_ --field=_ --format=_ --from=_ --from-unit=_ --invalid=_ --padding=_ --round=_ --suffix=_ --to=_ --to-unit=_ --header?=_ -z,--zero-terminated --debug --grouping					doSortLike	always
|nushell	>nu
|nutanix	>aliyun
|nuxt	>pytest
|nvim	-c,--cmd=_ -u=x -S=x -s=_ -w=_ -W=_ -i=_ -t=_ -q=r -l=x -L=x --listen=_ --server=_ --startuptime=w --remote-expr=_ --remote-send=_ -b -d -D -e -E -es -Es -R -r -m -M -n -o?=_ -O?=_ -p?=_ -V?=_ -A -H --clean --noplugin --headless --embed --api-info --remote --remote-silent --remote-tab --remote-ui		2		vim	doEditor
|nvm								list *,current,which *
	exec run	--silent	_ C	1
|nvme						doNvme
|nvram	>grub-install
|nwipe	>blkdiscard
|nx	>ninja
|nxc	>evil-winrm
|nzsql	>snowsql
|objection	>alembic
|obsutil	>ossutil
|oc	>kubectl
|ocaml	-e=e -I=D -init=x -noinit -stdin -safe-string -w=_ -warn-error=_ -nostdlib -principal -rectypes -vnum -version -dparsetree -unsafe -open=_ -ppx=P -pp=P -noprompt -nopromptcont		3		script	doScriptFile
|oci	>aliyun
|octave	--eval=e --gui,--force-gui --no-gui -p,--path=D --built-in-docstrings-file=r -H,--no-history -f,--norc --no-init-file --no-site-file --no-window-system -i,--interactive --persist -q,--quiet,--silent -V,--verbose --traditional --no-line-editing --exec-path=D --image-path=D --info-file=r --texi-macros-file=r --debug-jit -v,--version		1		script	doScriptFile
|octave-cli	--eval=e -p,--path=D -H,--no-history -f,--norc --no-init-file --no-site-file -i,--interactive --persist -q,--quiet,--silent -V,--verbose --traditional -v,--version		1		script	doScriptFile
|octodns	>aliyun
|od god	-A,--address-radix=_ -N,--read-bytes=_ -j,--skip-bytes=_ -t,--format=_ -S,--strings?=_ -w,--width?=_ --endian=_ -a -b -c -d -f -h -H -i -I -l -L -o -O -s -v,--output-duplicates -x -B -D -e -F -X --traditional	r*					always
|odbcconf	>regsvr32
|oha	-n=_ -c=_ -p=_ -z=_ -q=_ -t=_ -m,--method=_ -H=_ -d=_ -D=r -T=_ -a=_ -x=_ -A=_ --host=_ --cacert=r --cert=r --key=r --connect-to=_ --fps=_ --http-version=_ --http2 -r,--redirect=_ --db-url=w -o,--output=w --no-tui -j,--json --latency-correction --disable-keepalive --insecure --ipv4 --ipv6 --stats-success-breakdown --wait-ongoing-requests-after-deadline					doLoad
|oksh	>sh
|okta	>aliyun
|okteto	>aliyun
|op	--account=_ --vault=_ --format=_ --fields=_ --session=_ --env-file=_ --out-file,-o=w --config=_ --cache=_ -i,--in-file=_ --otp					doOnePassword
|opam	--server=_ --source=_ --only-server=_ --mirror=_ -e=_					doOtherManager		list *,show *,info *,search *
|open-interpreter	>claude
|openbao	>vault
|opencode	>claude
|openhands	>claude
|openssl libressl	-in=_ -out=_ -keyout=_ -key=_ -inkey=_ -connect=_ -proxy=_ -host=_ -port=_ -servername=_ -cert=_ -pass=_ -passin=_ -passout=_ -k=_ -K=_ -iv=_ -kfile=_ -S=_ -md=_ -iter=_ -config=_ -engine=_ -provider=_ -provider-path=_ -CAfile=_ -CApath=_ -CA=_ -CAkey=_ -days=_ -subj=_ -newkey=_ -extensions=_ -inform=_ -outform=_ -certfile=_ -accept=_ -sign=_ -verify=_ -signature=_ -url=_ -issuer=_ -algorithm=_ -pkeyopt=_ -rand=_ -writerand=w -name=_ -addext=_ -extfile=_ -starttls=_ -cipher=_ -curves=_ -hmac=_ -mac=_		2			doOpenssl
|openstack	>aliyun
|opentofu	>terraform
|opsgenie	>aliyun
|optimizely	>aliyun
|optipng oxipng pngquant jpegoptim gifsicle cwebp dwebp svgo sox texturepacker TexturePacker aseprite blender									any	--python-expr --python-console --app-template --script --shell --script-param --ext --dest --config
|optirun	-b,--backend=_ -C,--config=_ -d,--display=_ -l,--ldpath=_ --vgl-compress=_ --vgl-options=_ --primus-ldpath=_ --no-xorg --no-failsafe -q,--quiet -s,--silent -v,--verbose -V	C	1
|oras	-u,--username=_ -p,--password=_ --registry-config=r --ca-file=r --config=r -a,--annotation=_ --annotation-file=r --artifact-type=_ --export-manifest=w --platform=_ -o,--output=t -d,--debug -v,--verbose --insecure --plain-http -r,--recursive					doImageTool
|orb	>multipass
|ormolu	>alembic
|osascript	-e=_ -l=_ -s=_		1		applescript	doOsascript
|osh	>sh
|osql	>sqlcmd
|ossutil ossutil64 obsutil coscmd coscli b2 qshell upcli gof3r s3fs-cli	--dryRun,--dry-run+inert -c,--config-file=_ -e,--endpoint=_ -r,--recursive -f,--force					doTransfer
|ossutil64	>ossutil
|out-file	>set-content
|outguess	-k=_ -d=r -e -K=_ -D=r -E -s=_ -S=_ -i=_ -I=_ -x=_ -p=_ -m -t -F=_ -r					doDecodeFile
|overmind	>foreman
|ovhcloud	>aliyun
|ovsx	>vsce
|oxfmt	>air
|oxipng	>optipng
|p7zip	>7z
|packer	-var=_ -var-file=_ -only=_ -except=_ -on-error=_		2			doNothing			validate fmt inspect	-address -region -token
	build	-force+destroys -var=_ -var-file=_ -only=_ -except=_ -on-error=_		2
|pacman yay paru	-p,--print+inert -S,-R,-U,-Q,-s,-n,-u,-y,-c,-q,-i,-l,-d,-w --noconfirm,--needed -r,--root=D -b,--dbpath=_ --config,--cachedir,--overwrite,--ignore=_					doSystemPackages
|paexec	>psexec
|pagekite	>localtunnel
|pagerduty	>aliyun
|pandoc									any	-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt -d --defaults --data-dir --extract-media --request-header --syntax-definition --no-check-certificate --log --abbreviations
|pantheon	>aliyun
|pants	>ninja
|papermill nbstripout nbqa jupytext nbdime									any	--install --uninstall --global --system --attributes --pipe --execute --engine --parameters_yaml --set-kernel
|parallel			256			doParallel
|parallel-ssh	>pdsh
|parcel	>pytest
|partclone.ext4	>dump
|partclone.restore	>dump
|parted gparted	-l,--list -m,--machine -j,--json -s,--script -f,--fix -v+inert -h+inert -a,--align=_					doParted
|partimage	>dump
|partprobe	-s,--summary+inert -d,--dry-run -h,-v+inert					doMount
|partx	-a,--add -d,--delete -u,--update -s,--show -l,--list -n,--nr=_ -o,--output=_ -t,--type=_ -S,--sector-size=_ -b,--bytes -g,--noheadings -P,--pairs -r,--raw -v,--verbose -V,--version+inert					doMount
|paru	>pacman
|pass gopass prs passage						doPass
|passage	>pass
|passwd gpasswd	-a,--add=_ -u,--unlock -r=_ -M,--members=_ -l,--lock -S,--status -i,--inactive=_ -x,--maxdays=_ -n,--mindays=_ --repository=_ -w,--warndays=_ -Q,--root=D -A,--administrators=_ -R=D					doUsers
|paste gpaste	-d,--delimiters=_ -s,--serial -z,--zero-terminated	r*				doSortLike	always
|pastebinit sprunge ix nopaste wgetpaste pbincli termbin dpaste	-b=_ -a=_ -f=_ -i=r -t=_ -P=_ -u=_ -p=_ -j=_ -E					doPaste
|patator	-e=_ -C=_ -X=_ -G=_ -x=_ --timeout=_ --allow-ignore-failures -l,--log-dir=t -L=_ -R=w --csv=w --xml=w --hits=w --resume=_ -t,--threads=_ --rate-limit=_ --max-retries=_ --start=_ --stop=_ --groups=_ --auto-progress=_ -d,--debug		2			doIntrusion
|patch gpatch	-i,--input=r -d,--directory=D -o,--output=w -p,--strip=_ -R,--reverse --dry-run+inert -B,--prefix=_ -F,--fuzz=_ -r,--reject-file=w -D,--ifdef=_ -g,--get=_ -V,--version-control=_ -Y,--basename-prefix=_ -z,--suffix=_ --quoting-style=_ --reject-format=_ --read-only=_ --merge?=_ -b,--backup --backup-if-mismatch --no-backup-if-mismatch -c,--context -e,--ed -E,--remove-empty-files -f,--force -l,--ignore-whitespace -n,--normal -N,--forward -s,--quiet,--silent -t,--batch -T,--set-time -u,--unified -Z,--set-utc --binary --follow-symlinks --posix --verbose	o r				doPatch
|payload	>alembic
|paypal	>stripe
|pbincli	>pastebinit
|pbpaste xclip xsel wl-paste clip.exe powershell-clip	-selection,-sel,-se=_ -o,-out -i,-in=_ -t,-target=_		2			doClipboard
|pcalua	>conhost
|pcre2grep	>pcregrep
|pcregrep pcre2grep	-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive -d,--directories=_ -D,--devices=_ -N,--newline=_ --include=_ --exclude=_ --exclude-dir=_ --include-dir=_ --exclude-from=r --include-from=r --file-list=r --label=_ --match-limit=_ --depth-limit=_ --heap-limit=_ --recursion-limit=_ --locale=_ --buffer-size=_ --max-buffer-size=_ --om-separator=_ -O,--output=_ --binary-files=_ --color,--colour?=_ --colour?=_ -o -o,--only-matching?=_ --files-without-match,-L --count,-c -t,--total-count --quiet,-q -a,--text -F,--fixed-strings -H,--with-filename -h,--no-filename -I -i,--ignore-case -M,--multiline -n,--line-number -s,--no-messages -u,--utf -U,--utf-allow-invalid -v,--invert-match -w,--word-regex,--word-regexp -x,--line-regex,--line-regexp --line-buffered --line-offsets --file-offsets --no-jit --null,-Z					doGrep
|pct	--purge --force --destroy-unreferenced-disks --hostname=_ --storage=_ --target=_ --rootfs=_ --password=_ --ssh-public-keys=r --memory=_ --cores=_ --net0=_ --full --restart --unprivileged --ostype=_ --timeout=_ --keep-env					doCloud
|pd	>aliyun
|pdksh	>sh
|pdm	>pipenv
|pdsh clush pssh parallel-ssh dsh mussh	-w,--worker,-h,--hosts=_ -H,--host=_ -l,--user=_ -g=_ -t=_ -x=_ -b -f=_ -p=_ -o=_ -e=_ -R=_ -A -i -a -F=r -u=_		1			doPdsh
|perf	-v --no-pager --buildid-dir=t --debugfs-dir=_
	stat record trace top mem lock sched c2c kmem	-e,--event=_ -o,--output=w -p,--pid=_ -t,--tid=_ -C,--cpu=_ -F,--freq=_ -c,--count=_ -r,--repeat=_ -I,--interval-print=_ -x=_ -G,--cgroup=_ -D,--delay=_ -m,--mmap-pages=_ -u,--uid=_ -j,--branch-filter=_ --call-graph=_	C	1
|perl perl5	-e=_ -E=_ -I=_ -M=_ -m=_ -F=_ -x?=_ -i?=_ -l?=_ -0?=_ -C?=_ -D?=_ -d?=_ -V?=_ -c -v+inert -a -f -h -n -p -s -S -t -T -u -U -w -W -X		1		perl	doPerl
|perl-rename	>rename
|perl5	>perl
|pfctl	>iptables-restore
|pg_basebackup	-D,--pgdata=w -F,--format=_ -i,--incremental=r -r,--max-rate=_ -R,--write-recovery-conf -t,--target=_ -T,--tablespace-mapping=_ --waldir=w -X,--wal-method=_ -z,--gzip -Z,--compress=_ -c,--checkpoint=_ -C,--create-slot -l,--label=_ -n,--no-clean -N,--no-sync -P,--progress -S,--slot=_ -v,--verbose -d,--dbname=_ -h,--host=_ -p,--port=_ -s,--status-interval=_ -U,--username=_ -w,--no-password -W,--password -V+inert					doDump
|pg_ctl	-D,--pgdata=_ -l,--log=a -m,--mode=_ -o,--options=_ -p=P -t,--timeout=_ -U=_ -N=_ -P=_ -S=_ -e=_ -c,--core-files -s,--silent -w,--wait -W,--no-wait -V+inert					doPgServer
|pg_ctlcluster	-f,--force -m,--mode=_ -o=_ --foreground --skip-systemctl-redirect -s --stdlog					doPgServer
|pg_dropcluster	>pg_resetwal
|pg_dump	-f,--file=w -h,--host=_ -p,--port=_ -U,--username=_ -d,--dbname=_ -t,--table=_ -T,--exclude-table=_ -n,--schema=_ -N,--exclude-schema=_ -F,--format=_ -j,--jobs=_ -E,--encoding=_ -S,--superuser=_ -Z,--compress=_ -e,--extension=_ --role=_ --section=_ --snapshot=_ --lock-wait-timeout=_ --extra-float-digits=_ --filter=r --exclude-table-data=_ -a,--data-only -b,--large-objects -B -c,--clean -C,--create -O,--no-owner -s,--schema-only -v,--verbose -x,--no-privileges -w,--no-password -W,--password --if-exists --inserts --column-inserts -V+inert					doDump
|pg_dumpall	-f,--file=w -h,--host=_ -p,--port=_ -U,--username=_ -d,--dbname=_ -l,--database=_ -E,--encoding=_ -S,--superuser=_ --role=_ --exclude-database=_ --filter=r --lock-wait-timeout=_ -a,--data-only -c,--clean -g,--globals-only -O,--no-owner -r,--roles-only -s,--schema-only -t,--tablespaces-only -v,--verbose -x,--no-privileges -w,--no-password -W,--password --if-exists --inserts -V+inert					doDump
|pg_isready	-d,--dbname=_ -h,--host=_ -p,--port=_ -U,--username=_ -t,--timeout=_ -q,--quiet
|pg_resetwal pg_resetxlog pg_dropcluster	-n,--dry-run+inert -D=_ --stop -m=_					doPgServer
|pg_resetxlog	>pg_resetwal
|pg_restore mysqlimport mongorestore mongoimport myloader	-c,--clean --drop -d,--dbname,--db=_ -h,--host=_ -p=_ -U,--username=_ -u=_ -F,--format=_ -j,--jobs=_ -t,--table=_ -n,--schema=_ -f,--file=_ -l,--list+inert --uri=_ --collection=_ --archive=_ --dryRun+inert -V+inert -?+inert --create,-C -o,--overwrite-tables --nsInclude=_ --nsFrom=_ --nsTo=_ -a,--data-only -e,--exit-on-error -I,--index=_ -L,--use-list=r -N,--exclude-schema=_ -O,--no-owner -P,--function=_ -s,--schema-only -S,--superuser=_ -T,--trigger=_ -v,--verbose -W,--password -w,--no-password -x,--no-privileges -1,--single-transaction --role=_ --if-exists					doRestore
|pg_upgrade	-b,--old-bindir=_ -B,--new-bindir=_ -d,--old-datadir=_ -D,--new-datadir=_ -j,--jobs=_ -o,--old-options=_ -O,--new-options=_ -p,--old-port=_ -P,--new-port=_ -s,--socketdir=_ -U,--username=_ -c,--check+inert -k,--link -N,--no-sync -r,--retain -v,--verbose --clone --copy -V+inert
|pgbackrest	--stanza=_ --config=r --config-path=t --delta --force --set=_ --type=_ --target=_ --target-action=_ --repo=_ --repo1-path=_ --pg1-path=D --log-level-console=_ --log-level-file=_ --log-path=t --process-max=_ --output=_ --archive-async --recovery-option=_ --db-include=_ --no-online --buffer-size=_ --compress-type=_ --spool-path=t --lock-path=t					doBackup
|pgbench	-h,--host=_ -p,--port=_ -U,--username=_ -d,--dbname=_ -i,--initialize -I,--init-steps=_ -F,--fillfactor=_ -s,--scale=_ --partitions=_ --tablespace=_ -b,--builtin=_ -f,--file=r -c,--client=_ -j,--jobs=_ -t,--transactions=_ -T,--time=_ -D,--define=_ -L,--latency-limit=_ -M,--protocol=_ -P,--progress=_ -R,--rate=_ --aggregate-interval=_ --log-prefix=w --random-seed=_ --sampling-rate=_ -C,--connect -l,--log -n,--no-vacuum -N,--skip-some-updates -q,--quiet -r,--report-per-command -S,--select-only -v,--vacuum-all
|pgcli	>psql
|pgrep	-d,--delimiter=_ -g,--pgroup=_ -G,--group=_ -P,--parent=_ -s,--session=_ -t,--terminal=_ -u,--euid=_ -U,--uid=_ -F,--pidfile=r -r,--runstates=_ -A,--ignore-ancestors --cgroup=_ --env=_ --ns=_ --nslist=_ -O,--older=_ --signal=_ -f,--full -a,--list-full -l,--list-name -n,--newest -o,--oldest -v,--inverse -x,--exact -i,--ignore-case -c,--count -w,--lightweight					doPgrep	always
|pgroll	>alembic
|phantomjs	>qjs
|phase	>doppler
|phinx	>alembic
|php php-cli php-cgi php8 php7	-r,--run=_ -R,--process-code=_ -B,--process-begin=_ -E,--process-end=_ -f,--file=_ -F,--process-file=_ -S,--server=_ -t,--docroot=_ -c,--php-ini=_ -d,--define=_ -z,--zend-extension=_ -l,--syntax-check+inert -m,--modules+inert -i,--info -v,--version+inert		1		php	doPhp
|php-cgi	>php
|php-cli	>php
|php7	>php
|php8	>php
|phpenv	>plenv
|phpstan	-c,--configuration=r -l,--level=_ -a,--autoload-file=x -b,--generate-baseline?=w --memory-limit=_ --error-format=_ --no-progress --no-ansi --debug --xdebug --fix --watch --pro --paths-file=r --tmp-file=r --instead-of=_ --allow-empty-baseline --fail-without-result-cache -v -vv -vvv -q,--quiet -n,--no-interaction -V --ansi				php	doTestRunner
|phpunit	>pytest
|pi	>claude
|piccolo	>alembic
|pico	>nano
|picolisp	>escript
|pidof	-o,--omit-pid=_ -S,--separator=_ -s,--single-shot -x -q -c,--check-root -w,--with-workers -t,--lightweight					doPgrep	always
|pigz	-d,--decompress,--uncompress -S,--suffix=_ -b,--blocksize=_ -p,--processes=_ -A,--alias=_ -C,--comment=_ -I,--iterations=_ -J,--maxsplits=_ -c,--stdout,--to-stdout -f,--force -n,--no-name -N,--name -q,--quiet -r,--recursive -v,--verbose -t,--test -l,--list -k,--keep -F,--first -H,--huffman -i,--independent -K,--zip -m,--no-time -M,--time -O,--oneblock -R,--rsyncable -U,--rle -Y,--synchronous -z,--zlib -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best -11					doCompress
|pijul	>bzr
|pinecone	>aliyun
|ping	-c=_ -i=_ -I=_ -W=_ -w=_ -s=_ -t=_ -p=_ -M=_ -m=_ -Q=_ -S=_ -T=_ -l=_ -C --data=_ --data-string=_ -d -E,--file=r -4 -6 -a -A -b -B -D -f -L -n -N=_ -O -q -r -R -U -v -V -F=_					doPing	always
|ping6	-c=_ -i=_ -I=_ -W=_ -w=_ -s=_ -t=_ -p=_ -M=_ -m=_ -Q=_ -S=_ -T=_ -l=_ -E,--file=r -N=_ -F=_					doPing
|pinggy	>localtunnel
|pio platformio									run test check device boards project	-c --project-conf --upload-port
|pip	-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev		2048			doPip	words
|pipenv pdm	-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev		2048			doPip
|pipx	-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev --spec=_ --python=_		1			doPipx		list *
|pixi	>poetry
|pkexec lxsudo	-u,--user=_ -m=_ --disable-internal-agent --keep-cwd		1			doDoas
|pkg	>apt-get
|pkg_add	>apt-get
|pkg_delete	>apt-get
|pkill	-u,-U,--user,--euid,--uid=_ -s,--signal=_ -g=_ -P=_ -t=_ -f,--full -l,--list -o,--oldest -y=_ -n -e,--exact -w,--wait -c,--count -x -i,--ignore-case -v,--inverse -A,--ignore-ancestors -H,--require-handler -q,--queue=_ -F,--pidfile=r -L,--logpidfile -G,--group=_ --session=_ --terminal=_ --parent=_ --pgroup=_ --ns=_ --nslist=_ --newest -r,--runstates=_ --cgroup=_					doPkill	always
|plaid	>stripe
|plandex	>claude
|planetscale	>aliyun
|platform	>aliyun
|platformio	>pio
|playwright	>pytest
|please	>eatmydata
|plenv phpenv swiftenv
	exec		C	1
|plivo	>twilio
|plocate	>mlocate
|ploi	>aliyun
|pm2 pueue circusctl						doStarted
|pm2-deploy	>cap
|pm2-system	>sv
|pmset systemsetup						doQuietSystem
|pnetcat	>nc
|pngquant	>optipng
|pnpm	>npm
|pnpm-dlx	>npx
|pnpx	>npx
|pod						doOtherManager		list *,outdated *,search *
	trunk
		push				8
		delete deprecate				2
		info me register
|podman	>docker
|podman-compose	>docker-compose
|podman-remote	>docker
|poe	>ninja
|poetry hatch rye pixi	-q,--quiet -v,--verbose -vv -vvv -n,--no-interaction --ansi --no-ansi --no-plugins --no-cache --no-color -C,--directory=D -P,--project=_ --repository,-r=_ -u,--username=_ -p,--password=_ -G,--group=_ -E=_ -e,--env=_ --dry-run+inert		1			doPoetry
|pop	>alembic
|popeye	>kustomize
|port	-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_		2048			doSystemPackages		search *,info *,list *,provides *		-c --config -o --option --installroot --setopt --root -R
|portal	>transfer.sh-cli
|porter	>aliyun
|portmap	>localtunnel
|posh	>sh
|postfix-sendmail	>sendmail
|postmark	>twilio
|postsuper	-d=_ -c=D		2			doSpool
|poweroff	-h --halt -p,--poweroff --reboot -f,--force -w,--wtmp-only -d,--no-wtmp --no-sync -n -i -h --no-wall					doPower
|powershell pwsh powershell_ise			256			doPowershell
|powershell-clip	>pbpaste
|powershell_ise	>powershell
|pr gpr	-D,--date-format=_ -e,--expand-tabs?=_ -h,--header=_ -i,--output-tabs?=_ -l,--length=_ -n,--number-lines?=_ -N,--first-line-number=_ -o,--indent=_ -s,--separator?=_ -S,--sep-string?=_ -w,--width=_ -W,--page-width=_ -a,--across -c,--show-control-chars -d,--double-space -f,-F,--form-feed -J,--join-lines -m,--merge -r,--no-file-warnings -t,--omit-header -T,--omit-pagination -v,--show-nonprinting --columns=_ --pages=_	r*				doSortLike	words
|pre-commit	>ninja
|prefect	>aliyun
|prename	>rename
|presentationhost	>regsvr32
|presto	>snowsql
|presto-cli	>snowsql
|prettier	-w,--write -c,--check -l,--list-different --config=r --no-config --config-precedence=_ --ignore-path=r --plugin=P --parser=_ --stdin-filepath=_ --log-level=_ --cache --cache-location=w --find-config-path=r --file-info=r --support-info --tab-width=_ --print-width=_ --single-quote --no-semi --trailing-comma=_ --end-of-line=_ -u,--ignore-unknown --no-error-on-unmatched-pattern --no-color --with-node-modules					doTestRunner
|prime-run	>eatmydata
|primusrun	>eatmydata
|printenv gprintenv						doPrintenv
|printf	>seq
|prisma	--schema=_ --name=_ --force,-f --force-reset --accept-data-loss --stdin --file=_ --url=_					doPrisma
|prlctl	-a,--all -o,--output=_ -s,--sort=_ -j,--json -f,--full -i,--info --kill --fast --name=_ --id=_ --skip-children --ostype=_ --distribution=_ --ostemplate=_ --location=_ --drop-state					doCloud
|prlimit	-p,--pid=_ -o,--output=_ -c,--core?=_ -d,--data?=_ -e,--nice?=_ -f,--fsize?=_ -i,--sigpending?=_ -l,--memlock?=_ -m,--rss?=_ -n,--nofile?=_ -q,--msgqueue?=_ -r,--rtprio?=_ -s,--stack?=_ -t,--cpu?=_ -u,--nproc?=_ -v,--as?=_ -x,--locks?=_ -y,--rttime?=_ --noheadings --raw --verbose -V	C	1
|proot	-r,--rootfs,-R,-S=_ -b,--bind,-m=_ -w,--pwd,--cwd=_ -q,--qemu=_ -k=_ -i=_ -v=_ -0,--root-id -h -l --link2symlink --kill-on-exit -V -L -p -n		1			doProot
|proselint	>antora
|proton-pass	>bw
|proxychains proxychains4 proxychains-ng	-f=r -q	C	1
|proxychains-ng	>proxychains
|proxychains4	>proxychains
|prs	>pass
|pry	-e,--exec=e -f -q,--quiet -r,--require=_ -I=_ --no-color --no-pager --simple-prompt --no-history --no-plugins -c,--context=_ -v,--version		1		ruby	doStdinScript
|ps	-a -d -f --file=r -F -p=_ -s=_ -t=_ -w --Group=_ --User=_ --cols=_ --columns=_ --format=_ --group=_ --lines=_ --pid=_ --ppid=_ --quick-pid=_ --rows=_ --sid=_	_*
|pscale	>aliyun
|pscp	>scp
|psexec psexec64 paexec			768			doPsexec
|psexec.py	>evil-winrm
|psexec64	>psexec
|psftp	>sftp
|psql pgcli vsql cockroach-sql edb-psql	-c,--command=q -f,--file=_ -d,--dbname=_ -h,--host=_ -p,--port=_ -U,--username=_ -v,--set,--variable=_ -o,--output=w -L,--log-file=w -F,--field-separator=_ -P,--pset=_ -R,--record-separator=_ -T,--table-attr=_ -V+inert -?+inert				postgres	doSQLClient
|pssh	>pdsh
|pstree	-a,--arguments -A,--ascii -c,--compact-not -C,--color=_ -g,--show-pgids -G,--vt100 -h,--highlight-all -H,--highlight-pid=_ -l,--long -n,--numeric-sort -N,--ns-sort=_ -p,--show-pids -s,--show-parents -S,--ns-changes -t,--thread-names -T,--hide-threads -u,--uid-changes -U,--unicode -V -Z,--security-context	_*					always
|ptunnel	>localtunnel
|ptx gptx	-F,--flag-truncation=_ -M,--macro-name=_ -S,--sentence-regexp=_ -W,--word-regexp=_ -b,--break-file=r -g,--gap-size=_ -i,--ignore-file=r -o,--only-file=r -w,--width=_ -A,--auto-reference -G,--traditional -O -R,--right-side-refs -T -f,--ignore-case -r,--references -t	r*				doSortLike
|ptyrun	>faketty
|ptyxis	>xterm
|publish-module publish-script publish-psresource			512	8
|publish-psresource	>publish-module
|publish-script	>publish-module
|pueue	>pm2
|pulsar-admin	>aliyun
|pulsarctl	>aliyun
|pulumi pulumi-cli	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only,--preview-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --stack=_					doStack
|pulumi-cli	>pulumi
|puma	>brakeman
|puppet chef-client chef-solo chef knife cinc-client cf-agent bolt	-e,--execute=_ --noop,-W,--why-run+inert -n=_ -t,--targets=_ -i=_ -x=_ -P=_					doAgentTool
|push-location	>set-location
|pushover	>slackcat
|pv	-B,--buffer-size=_ -D,--delay-start=_ -E,--skip-errors?=_ -F,--format=_ -H,--height=_ -i,--interval=_ -L,--rate-limit=_ -N,--name=_ -o,--output=w -P,--pidfile=w -d,--watchfd=_ -R,--remote=_ -s,--size=_ -w,--width=_ -m,--average-rate-window=_ -x,--extra-display=_ -Q,--query=_ -p,--progress -t,--timer -e,--eta -I,--fineta -r,--rate -a,--average-rate -b,--bytes -T,--buffer-percent -n,--numeric -q,--quiet -W,--wait -l,--line-mode -0,--null -8,--bits -k,--si -f,--force -c,--cursor -S,--stop-at-size -Y,--sync -K,--direct-io -X,--discard -C,--no-splice -v,--stats	r*				doCat
|pvchange	>pvcreate
|pvcreate pvremove pvresize pvchange vgremove vgrename vgchange vgmerge vgsplit vgextend lvrename lvchange lvremove lvcreate vgcreate pvmove lvconvert	-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -n,--name=_ -t,--test+inert -h,--longhelp+inert --reportformat=_ -S,--select=_ --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints --addtag=_ --deltag=_ --alloc=_ -d,--debug -v,--verbose -A,--autobackup=_ -a,--activate=_ -p,--permission=_ -u,--uuid					doVolume
|pvecm	--link0=_ --link1=_ --nodeid=_ --votes=_ --use_ssh --force --fingerprint=_					doCloud
	delnode				2
|pvesm	--content=_ --nodes=_ --server=_ --export=_ --path=_ --pool=_ --username=_ --password=_ --vgname=_ --disable --shared --vmid=_ --size --options=_ --storage=_ --target=_					doCloud
|pveum	--password=_ --comment=_ --email=_ --enable --expire=_ --groups=_ --privs=_ --roles=_ --users=_ --tokens=_ --privsep --output-format=_ --propagate					doCloud
|pvmove	>pvcreate
|pvremove	>pvcreate
|pvresize	>pvcreate
|pw	>useradd
|pwd	>seq
|pwsh	>powershell
|py	>python
|py.test	>pytest
|pydocstyle	>air
|pyenv	>rbenv
|pyinstrument	>coverage
|pylint	>pytest
|pypy	>python
|pypy3	>python
|pypykatz	>mimikatz
|pyrefly	>air
|pytest py.test jest vitest mocha ava tap playwright cypress karma eslint ruff pylint rubocop golangci-lint clippy-driver phpunit rspec stylelint biome swc esbuild vite webpack rollup parcel next nuxt concurrently wait-on npm-run-all run-s run-p lint-staged						doTestRunner
|python python3 py pythonw pypy pypy3 ipython ipython3 bpython micropython circuitpython jython cpython	-c=_ -m=_ -W=_ -X=_ --check-hash-based-pycs=_ -b -B -d -E -h -i -I -O -P -q -s -S -u -v -V -x -R -t		1		python	doPython
|python3	>python
|pythonw	>python
|pyupgrade	>air
|q	>claude
|qdrant	>aliyun
|qjs quickjs js gjs v8 seed txiki phantomjs casperjs	-e,--eval,-c,--command=e -I,--include=x -f=x -m		1		js	doScriptFile
|qm	--purge --destroy-unreferenced-disks --skiplock --full --name=_ --storage=_ --target=_ --timeout=_ --overrule-shutdown --vmstate --description=_ --memory=_ --cores=_ --net0=_ --format=_ --online --newid=_					doCloud
|qovery	>aliyun
|qprint	>rot13
|qrcp	>transfer.sh-cli
|qshell	>ossutil
|qterminal	>xterm
|quarto									render preview check	--execute-daemon --host --lua-filter --filter --to --metadata --pandoc
|questdb	>snowsql
|quickjs	>qjs
|quickwit	>aliyun
|qwen	>claude
|rabbitmq-diagnostics	>rabbitmqctl
|rabbitmq-plugins	>rabbitmqctl
|rabbitmqadmin	>aliyun
|rabbitmqctl rabbitmq-diagnostics rabbitmq-plugins	-n,--node=_ -p,--vhost=_ -t=_ -q -l					doRabbit
|racket	-e,--eval=e -f,--load=x -t,--require=x -l,--lib=_ -p=_ -r,--script=x -u,--require-script=x -k=_ -m,--main -i,--repl -n,--no-lib -v,--version -V -c,--no-compiled -q,--no-init-file -I=_ -S,--search=D -C,--cross -N,--name=_ -W,--warn=_ -d -O,--stdout=_		1		lisp	doScriptFile
|rackup	>brakeman
|raco
	pkg
		install update	--auto --deps=_ -i,--installation -u,--user --scope=_ --scope-dir=_ --catalog=_ -t,--type=_ -n,--name=_ --source --binary --clone=_ --link --copy --no-setup --force --skip-installed --batch --dry-run+inert	p*		128
		remove	--auto --force --demote -i,--installation -u,--user --dry-run+inert	_*		1
		show		_*
	make test	-v -q,--quiet -x -j=_ -m,--make	r*
|rage	>age
|rage-keygen	>age-keygen
|rails rake gitlab-rails	-e,--environment=_ -f=_					doRails
|railway	>aliyun
|rake	>rails
|raku	-e=e -n -p -I=D -M=_ -c --doc?=_ --target=_ --optimize=_ --profile?=_ --ll-exception --stagestats -v,--version -V		1		script	doScriptFile
|rakudo	-e=e -n -p -I=D -M=_ -c -v,--version		1		script	doScriptFile
|rancher	>aliyun
|rar	-y -r -df -ep -ep1 -id -inul -k -p- -s -t					doSevenZip
|rathole	>localtunnel
|razorpay	>stripe
|rbash	>sh
|rbenv pyenv nodenv goenv jenv								versions,which *
	exec		C	1
|rbw	>bw
|rbx	>ruby
|rc-service	-e,--exists -i,--ifexists -I,--ifinactive -N,--ifnotstarted -s,--ifstarted -S,--ifstopped -c,--ifcrashed -l,--list -r,--resolve -d,--debug -D,--nodeps -Z,--dry-run+inert -C,--nocolor -v,--verbose -q,--quiet					doService
|rc-update	-a,--all -s,--stack -u,--update -v,--verbose -q,--quiet -C,--nocolor					doServiceEnable
|rclone	-n,--dry-run+inert -i,--interactive --config=_ --include=_ --exclude=_ --filter=_ --filter-from=_ --files-from=_ --transfers=_ --checkers=_ --bwlimit=_ --min-age=_ --max-age=_ --max-size=_ --min-size=_ --log-file=w --log-level=_ --backup-dir=_ --password-command=c					doTransfer
|rd	/s+recursive /q+force		544			doDel
|rdesktop	>evil-winrm
|rdiff-backup	--api-version=_ --force --remove-older-than=_+destroys --older-than=_ -r,--restore-as-of=_ --at=_ --include=_ --exclude=_ --exclude-globbing-filelist=r --include-globbing-filelist=r --remote-schema=c --tempdir=t --print-statistics -v,--verbosity=_ --terminal-verbosity=_ -l,--list-increments --increments -b -s,--remote-cmd=c --no-eas --no-acls --include-filelist,--exclude-filelist,--group-mapping-file,--user-mapping-file=r					doBackup
|rdmd	--build-only --chatty --compiler=P --dry-run+inert --eval=e --exclude=_ --extra-file=r --force --loop=e --main --makedepend --makedepfile=w --man --shebang --tmpdir=t		1		script	doScriptFile
|react-native									start doctor lint info config	--tunnel --host --customLogReporterPath --config --reactNativePath --transformer --projectRoot
|readelf colrm ipcs sw_vers mdls							words
|readlink greadlink	-f,--canonicalize,--canonicalize-existing,--canonicalize-missing -e,-m -n,--no-newline -q,--quiet,--silent -s -v,--verbose -z,--zero	i*				doRealpath	always
|reagentc	>bootrec
|realm	-a,--append -G,--groups=_ -g,--gid=_ -u,--uid=_ -d,--home=_ -s,--shell=_ -p,--password=_ -c,--comment,-check=_ -r,--remove,--system -m -M -L,--lock -U,--unlock -S,--status -e=_ -f=_ -l,--no-log-init -E=_ -W=_ -R,--root=D -P,--prefix=w		4096			doUsers
|realpath grealpath	--relative-to=_ --relative-base=_ -e,--canonicalize-existing -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet -s,--strip,--no-symlinks -z,--zero					doRealpath	always
|rebar3						doHex			compile eunit ct dialyzer xref fmt tree
|reboot halt	-h --halt -p,--poweroff --reboot -f,--force -w,--wtmp-only -d,--no-wtmp -n --no-sync --no-wall					doPower
|recurly	>stripe
|redis-cli valkey-cli keydb-cli dragonfly-cli iredis redli	-h=_ -p=_ -s=_ -a,--pass=_ -u,--uri=_ -n=_ -r=_ -i=_ --user=_ -x -X=_ --eval=_ --cacert=_ --cert=_ --key=_ --rdb=w --pattern=_ --scan --bigkeys --stat --pipe -d=_ --sni=_ -t=_ --cluster=_ --raw --no-auth-warning --tls -c -v+inert --functions-rdb=w --cacertdir=r		4097			doRedis
|redisctl	>aliyun
|redli	>redis-cli
|reek	>brakeman
|refinery	>alembic
|reg	/v=_ /t=_ /d=_ /f+force /va /ve		544			doReg
|regasm	>regsvr32
|regctl	--host=_ --logopt=_ -v,--verbosity=_ --user-agent=_ -p,--platform=_ --format=_					doImageTool
|regedit	/s		544			doRegedit
|register-cimindicationevent	>register-scheduledtask
|register-objectevent	>register-scheduledtask
|register-scheduledjob	>register-scheduledtask
|register-scheduledtask new-scheduledtask register-scheduledjob set-scheduledtask new-service register-wmievent register-cimindicationevent unregister-scheduledtask disable-scheduledtask enable-psremoting register-objectevent	-TaskName=_ -Action=_ -Trigger=_ -BinaryPathName=_ -Name=_ -ScriptBlock=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doSchedule
|register-wmievent	>register-scheduledtask
|regsvcs	>regsvr32
|regsvr32 rundll32 installutil regasm regsvcs odbcconf cmstp control presentationhost			768			doProxyExec
|reindexdb	-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -d,--dbname=_ -t,--table=_ -S,--schema=_ -i,--index=_ -j,--jobs=_ --tablespace=_ -a,--all -q,--quiet -s,--system -v,--verbose --concurrently
|remake	>make
|remark	>antora
|remove-adgroup	>new-localuser
|remove-adobject	>new-localuser
|remove-adorganizationalunit	>new-localuser
|remove-aduser	>new-localuser
|remove-ciminstance	>get-wmiobject
|remove-eventlog	>clear-eventlog
|remove-item	-Path,-LiteralPath,-PSPath,-LP=_ -Stream=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doRemoveItem
|remove-itemproperty	>set-itemproperty
|remove-localgroupmember	>new-localuser
|remove-localuser	>new-localuser
|remove-mppreference	>set-mppreference
|remove-netfirewallrule	>set-mppreference
|remove-netipaddress	>disable-netadapter
|remove-netroute	>disable-netadapter
|remove-partition	>format-volume
|remove-service	>stop-service
|remove-storagepool	>format-volume
|remove-vhd	>remove-vm
|remove-virtualdisk	>format-volume
|remove-vm stop-vm remove-vmsnapshot remove-vhd dismount-vhd	-Name=_ -VMName=_ -Path=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doHyperV
|remove-vmsnapshot	>remove-vm
|remove-wmiobject	>get-wmiobject
|remsh	>rlogin
|rename prename perl-rename	-e=_ -n,--nono,--no-act,--dry-run+inert -v,--verbose -f,--force -d,--filename,--nopath,--nofullpath -i,--interactive -0,--null -E=_	_ o*
|rename-item	>move-item
|render	>aliyun
|repoquery apt-config	-p,--pkg-cache=_ -s,--src-cache=_ -q,--quiet -i,--important -f,--full -a,--all-versions -g,--generate -n,--names-only --installed --recurse --no-pre-depends --no-depends --no-recommends --no-suggests -c,--config-file=r -o,--option=_	_*
|resend	>twilio
|reset-physicaldisk	>format-volume
|resize2fs	-S=_ -d=_ -z=w					doMount
|resizepart	>delpart
|resolve-path	>get-childitem
|resolvectl	>ethtool
|responder	-I,--interface=_ -i,--ip=_ -6,--externalip6=_ -e,--externalip=_ -b,--basic -d,--DHCP -D,--DHCP-DNS -w,--wpad -u,--upstream-proxy=_ -F,--ForceWpadAuth -P,--ProxyAuth -Q,--quiet --lm --disable-ess -v,--verbose -t,--ttl=_ -A,--analyze		2			doIntrusion
|restart-computer	>stop-computer
|restart-service	>stop-service
|restic	-n,--dry-run+inert -r,--repo=_ -p,--password-file=_ --password-command=c -o=_ --tag=_ --host=_ --keep-last=_ --keep-daily=_ --keep-weekly=_ --keep-monthly=_ --keep-yearly=_ --keep-hourly=_ --keep-within=_ --target,-t=_ --include=_ --exclude=_ --path=_ --repository-file=r --cacert=r --cache-dir=t --no-cache --no-lock --json -q,--quiet -v,--verbose --limit-upload=_ --limit-download=_ --key-hint=_ --tls-client-cert=r --compression=_ --pack-size=_ --retry-lock=_ --cleanup-cache --insecure-tls --prune -f,--force --one-file-system,-x --exclude-file=r --iexclude=_ --iexclude-file=r --exclude-caches --exclude-if-present=_ --exclude-larger-than=_ --files-from=r --files-from-raw=r --files-from-verbatim=r --stdin --stdin-filename=_ --parent=_ --time=_ --with-atime --group-by,-g=_ --delete --overwrite=_ --sparse --verify --read-data --read-data-subset=_ --max-unused=_ --unsafe-allow-remove-all					doBackup
|restore	>dump
|restore-computer	-RestorePoint=_ -WhatIf+inert		514	2
|resty	>lua
|retry	-t,--times,--max-tries,-r=_ -d,--delay,-m,--min=_ -x,--max,--until,--while=_	C	1
|rev	-0,--zero	r*				doRev	always
|rexec	>rlogin
|rg ripgrep	-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive --pre=P --pre-glob=_ --hostname-bin=P -E,--encoding=_ --engine=_ -g,--glob=_ --iglob=_ --ignore-file=r -d,--max-depth,--maxdepth=_ --max-filesize=_ -M,--max-columns=_ -r,--replace=_ --sort=_ --sortr=_ -t,--type=_ -T,--type-not=_ --type-add=_ --type-clear=_ -j,--threads=_ --color=_ --colors=_ --context-separator=_ --field-context-separator=_ --field-match-separator=_ --dfa-size-limit=_ --regex-size-limit=_ --path-separator=_ --hyperlink-format=_ --generate=_ -L,--follow --files-without-match --count,-c --count-matches --quiet,-q --files -i,--ignore-case -S,--smart-case -s,--case-sensitive -v,--invert-match -w,--word-regexp -x,--line-regexp -n,--line-number -N,--no-line-number -H,--with-filename -I,--no-filename -o,--only-matching -a,--text -F,--fixed-strings -P,--pcre2 -U,--multiline --multiline-dotall -u,--unrestricted -uu -uuu -.,--hidden --no-ignore --no-ignore-vcs --no-messages --no-config --heading --no-heading --json --vimgrep --column -b,--byte-offset --passthru,--passthrough -p,--pretty -z,--search-zip --stats --trim --crlf --null,-0 --null-data --one-file-system --line-buffered --debug --max-columns-preview --type-list --include-zero					doGrep	options
|rhino	-e=e -f=x -w -version=_ -opt=_ -debug -strict -fatal-warnings -encoding=_ -modules=D -require -sandbox -main=_		3		js	doScriptFile
|rimraf	-g,--glob -v -i,--interactive --impl=_ --tmp=_ --max-retries=_ --preserve-root --no-preserve-root --backoff=_ --retry-delay=_					doRimraf
|ripgrep	>rg
|rke	>aliyun
|rke2	>aliyun
|rksh	>sh
|rlogin rsh remsh rexec	-l=_ -p=_		1			doRsh
|rlwrap	-b,--break-chars=_ -f,--file=_ -H,--history-filename=_ -s,--histsize=_ -C,--command-name=_ -l,--logfile=w -q=_ -S=_ -t=_ -z,--filter=_ -e=_ -M=_ -m?=_ -p?=_ -P=_ -D=_ -g=_ -a?=_ -A?=_ -c -d?=_ -E -i -I -n -N -o -O=_ -r -R -U -v -w=_ -W?=_ -X -Y	C	1
|rm grm	-r,-R,--recursive+recursive -f,--force+force -i --interactive?=_ -d,--dir -I -v,--verbose -x,--one-file-system --preserve-root?=_ --no-preserve-root					doRemove
|rman	>sqlplus
|rmdir grmdir	-p,--parents -v,--verbose --ignore-fail-on-non-empty					doRmdir	always
|rmlint	-T,--types=_ -o,--output=_ -O,--add-output=_ -c,--config=_ -z,--perms=_ -a,--algorithm=_ -s,--size=_ -d,--max-depth=_ -S,--rank-by=_ -n,--newer-than=_ -N,--newer-than-stamp=r -l,--hardlinked -L -f,--followlinks -F -x,--one-file-system -X -p,--paranoid -r,--hidden -R -b,--match-basename -B -e,--match-with-extension -i,--match-without-extension -D,--merge-directories -g,--progress -G -k,--keep-all-tagged -K,--keep-all-untagged -m,--must-match-tagged -M,--must-match-untagged -v -V -w -W	i*
|rmmod	>insmod
|rmtrash	-f,--force -r,-R,--recursive -i -I -v,--verbose --forbid-root?=_	m*
|rnano	>nano
|robocopy	/mir /purge /move /mov /l+inert /xf=_ /xd=_ /log=w		544			doRobocopy
|rollbar	>aliyun
|rollup	>pytest
|roo	>claude
|rot13 caesar ascii85 base16 base85 qprint	-K=_ -k=_ -p=_ -sf=r -cf=r -ef=r -xf=w					doDecodeFile
|route	>ifconfig
|route53	>aliyun
|rovodev	>claude
|rpcclient	>smbclient
|rpk	>aliyun
|rpm	-i,--install,-U,-F,--upgrade,--freshen -e,--erase --force-all,--nodeps,--force+force --force-depends,--force-remove-essential,--force-remove-reinstreq+force -l,--list -L -q,--query -a,--all -s -r,--root=D -c --info --no-act,--dry-run,--simulate,--test+inert --nosignature,--nogpgcheck,--nodigest+skips-check -D,--define=_ --eval,-E=_ --pipe=_ --httpport=_ --qf=_ --querybynumber=_ --queryformat=_ --target=_ --tid=_ --undefine=_					doDpkg
|rpm-ostree	>apt-get
|rpmkeys	>apt-key
|rqlite	>snowsql
|rr	-n,--no-syscall-buffer -h,--chaos -c,--num-cpu-ticks=_ -o,--output-trace-dir=t -p,--print-trace-dir=_ -t,--continue-through-signal=_ -u,--cpuid-features -w,--wait --env=E -s,--always-switch		1			doProfiler
|rsh	>rlogin
|rspack	>air
|rspec	>pytest
|rsql	>snowsql
|rsync grsync	-e,--rsh=_ --rsync-path=_ -B,--block-size=_ -f,--filter=_ -T,--temp-dir=_ -M,--remote-option=_ --backup-dir=_ --suffix=_ --bwlimit=_ --chmod=_ --chown=_ --compare-dest=_ --copy-dest=_ --link-dest=_ --compress-level=_ --contimeout=_ --timeout=_ --exclude=_ --exclude-from=_ --include=_ --include-from=_ --files-from=_ --iconv=_ --info=_ --debug=_ --log-file=w --log-file-format=_ --max-delete=_ --max-size=_ --min-size=_ --modify-window=_ --out-format=_ --partial-dir=_ --password-file=_ --port=_ --protocol=_ --skip-compress=_ --sockopts=_ --usermap=_ --groupmap=_ --write-batch=w --only-write-batch=w --read-batch=_ --address=_ --checksum-choice=_ --compress-choice=_ --stop-after=_ -n,--dry-run+inert -h+inert --list-only --config=r --early-input=r --group					doRsync
|rsyslogd syslogd	-4 -6 -A -C -d -D -f=r -i=w -l=_ -n -N=_ -o=w -q -Q -s=_ -S=_ -T=D -u=_ -v -w -x -M=_
|rtk	>eatmydata
|rtx	>mise
|rubocop	>pytest
|ruby jruby rbx truffleruby mruby	-e=_ -I=_ -r=_ -C=_ -E,--encoding=_ -F=_ -x?=_ -i?=_ -0?=_ -K?=_ -T?=_ -W?=_ -U -c+inert -v --external-encoding=_ --internal-encoding=_ --enable=_ --disable=_ --backtrace-limit=_ -a -d -h -l -n -p -s -S -w --jit --yjit --verbose --version --debug		1		ruby	doPerl
|ruff	>pytest
|run-clang-tidy	>clang-tidy
|run-p	>pytest
|run-parts	--test+inert --list+inert -v,--verbose --report --debug --reverse --exit-on-error --new-session --lsbsysinit --regex=_ -a,--arg=_ -u,--umask=_					doRunParts
|run-s	>pytest
|run0	-u,--user=_ -g,--group=_ -D,--chdir=_ --setenv=_ --unit=_ --property=_ --description=_ --slice=_ --nice=_ --machine=_ --background=_ --no-ask-password --via-shell --pty --pipe --shell-prompt-prefix=_ --lightweight=_ --area=_ --empower -i,--empower-shell		1			doDoas
|runas	/user=_ /savecred /env /netonly /profile /noprofile		544			doRunas
|rundll32	>regsvr32
|runghc	>ghci
|runhaskell	>ghci
|runuser	-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -u,--user=_ -w,--whitelist-environment=_ -l,--login -m,-p,--preserve-environment -f,--fast -P,--pty -T,--no-pty -V		1			doRunuser
|rush	>ninja
|rust-gdb	>gdb
|rust-lldb	>gdb
|rustc	>gcc
|rustfmt	--check --emit=_ --backup --config-path=r --config=_ --edition=_ --color=_ --print-config=_ -l,--files-with-diff -v,--verbose -q,--quiet --style-edition=_ --unstable-features -V					doTestRunner
|rustic	-n,--dry-run+inert -r,--repository,--repo=_ -p,--password-file=r --password-command=c -P,--use-profile=_ --log-level=_ --log-file=w --no-progress --no-cache --cache-dir=t --tag=_ --label=_ --keep-last,-l=_ --keep-daily,-d=_ --keep-weekly,-w=_ --keep-monthly,-m=_ --keep-yearly,-y=_ --keep-hourly,-H=_ --prune --glob=_ --exclude-if-present=_ --host=_ --json --filter-host=_ --filter-paths=_ --filter-tags=_ --delete --instant-delete --max-unused=_					doBackup
|rustscan	-a,--addresses=h -p,--ports=_ -r,--range=_ -n,--no-config --no-banner -c,--config-path=r -g,--greppable --accessible --resolver=_ -b,--batch-size=_ -t,--timeout=_ --tries=_ -u,--ulimit=_ --scan-order=_ --scripts=_ --top -e,--exclude-ports=_ -x,--exclude-addresses=_ --udp -V					doScan
|rustup								show *,which *,toolchain list,target list,component list,check
|rvim	>vim
|rvm						doRvm
	do exec		C	1
|rxvt	>xterm
|rye	>poetry
|rzsh	>sh
|s-nail	>mail
|s3cmd s4cmd s5cmd	-n,--dry-run+inert -c,--config=_ --access_key=_ --secret_key=_ --exclude=_ --include=_ --host=_ --region=_ -m=_ --endpoint-url=_ --profile=_ -r,--recursive -f,--force --delete-removed --acl-public,-P --ca-certs,--ssl-cert,--ssl-key=r --cache-file=w --exclude-from,--include-from,--rexclude-from,--rinclude-from,--files-from=r --ssl					doTransfer
|s3fs-cli	>ossutil
|s4cmd	>s3cmd
|s5cmd	>s3cmd
|s6-applyuidgid	-z -u=_ -g=_ -G=_ -U	C	1
|s6-envdir	-I -i -n -f -L -l=_ -c=_	_ C	1
|s6-setuidgid	>gosu
|s6-svc	>sv
|sage	>escript
|salt salt-ssh salt-call salt-run salt-key	-C,-E,-L,-G,-N,-S,-I -t,--timeout=_ -c,--config-dir=_ --out=_ -l=_ -d,--delete=_ -D,--delete-all -b,--batch=_					doSalt
|salt-call	>salt
|salt-cloud	-d,--destroy+destroys -p,--profile=_ -m,--map=r -a,--action=_ -f,--function=_ -H,--hard -P,--parallel -Q,--query -F,--full-query -S,--select-query -y,--assume-yes -c,--config-dir=_ --list-providers --list-profiles=_ --list-images=_ --list-sizes=_ --list-locations=_	_*
|salt-key	>salt
|salt-run	>salt
|salt-ssh	>salt
|sam	>cdktf
|saml2aws	>aws-vault
|samlocal	>cdktf
|samply	-p,--pid=_ -r,--rate=_ -d,--duration=_ -o,--output=w -s,--save-only -n,--no-open -P,--port=_ --profile-name=_ --main-thread-only --iteration-count=_ --reuse-threads -a		1			doProfiler
|sandbox-exec	-f=_ -n=_ -p=_ -D=_	C	1
|sanoid	--cron+destroys --configdir=r --cache-dir=t --run-dir=t --take-snapshots --prune-snapshots+destroys --force-prune+destroys-data --monitor-health --monitor-snapshots --monitor-capacity --force-update --verbose --quiet --debug --readonly+inert					doBackup
|sbatch condor_run	--wrap=_ -p,--partition=_ -n,--ntasks=_ -N,--nodes=_ -t,--time=_ -J,--job-name=_ -o,--output=w -e,--error=w					doStarted
|sbcl	--eval=e --load=x --script=x --core=r --dynamic-space-size=_ --control-stack-size=_ --userinit=x --sysinit=x --no-userinit --no-sysinit --non-interactive --noinform --disable-debugger --noprint --disable-ldb --lose-on-corruption --merge-core-pages --quit --version --end-runtime-options --end-toplevel-options		1		lisp	doScriptFile
|sbd	>nc
|sbt						doBuildPublish			compile test Test/compile scalafmtCheck scalafmt clean	-ivy -Dsbt* --sbt-* -sbt-*
|sc sc.exe			256			doSc
|sc.exe	>sc
|scala scala-cli	-e,--eval,-c,--code,-execute-snippet,--execute-script-snippet=e -cp,-classpath,--class-path=_ -J=_ -i,--init=x		1		scala	doScriptFile
|scala-cli	>scala
|scalac	>gcc
|scalene	>coverage
|scalingo	>aliyun
|scancel	-u,--user,-A,--account,-p,--partition,-n,--name,--jobname,-q,--qos,-s,--signal,-t,--state,-w,--nodelist,--reservation,-M,--clusters=_ -b,--batch,-f,--full,-H,--hurry,-i,--interactive,-Q,--quiet,-v,--verbose,--me,--ctld					doScancel
|scheme	>clojure
|schtasks at.exe	/create /delete /change /run /tn=_ /tr=c /sc=_ /st=_ /ru=_ /rp=_ /s=_ /u=_ /p=_ /xml=_		544			doSchtasks
|scons	-f,--file,--justfile,--taskfile,--rakefile=_ -C,-d,--working-directory,--directory=D -j=_ -t=_ -e=_ -s,--session=_ --set=_ -n,--dry-run,--dry+inert					doTask			any	--addon --rule-file --executor --site-dir --tool-path --dump-config
|scontrol
	update reconfigure shutdown takeover cancel_reboot power delete create				1
	show ping hold release requeue suspend resume wait_job listpids write
|scoop	>apt-get
|scp pscp	-c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -S=P -X=_ -h+inert -V+inert					doScp
|screen	-a -A -d -D -i -l -ls -L -m -O -q -R -U -v -wipe -S=_ -c=_ -e=_ -h=_ -p=_ -s=_ -t=_ -T=_ -r?=_ -x -X -Logfile=a		1			doScreen
|script	-a,--append -e,--return -f,--flush -F -k -q,--quiet -r -d -I,--log-in=w -O,--log-out=w -B,--log-io=w -T,--log-timing=w -m,--logging-format=_ -c,--command=_ -E,--echo=_ -o,--output-limit=_ --timing?=_		1			doScript
|scriptrunner	>conhost
|scrub	-f,--force -p=_ -b,--blocksize=_ --pattern=_ -s,--device-size=_ -D,--dirent=_					doErase
|scutil	>ifconfig
|scw	>aliyun
|sd	-p,--preview+inert -F,--fixed-strings -A,--across -n,--max-replacements=_ -f,--flags=_	_ _ o*
|sdiff	-o,--output=w -I,--ignore-matching-lines=_ -w,--width=_ --diff-program=P --tabsize=_ -a,--text -b,--ignore-space-change -B,--ignore-blank-lines -d,--minimal -E,--ignore-tab-expansion -H,--speed-large-files -i,--ignore-case -l,--left-column -s,--suppress-common-lines -t,--expand-tabs -W,--ignore-all-space -Z,--ignore-trailing-space --strip-trailing-cr	r*
|sdparm	>blkdiscard
|sea-orm-cli	>alembic
|secret-tool kwallet-query keyring kwalletcli lssecret	-r=_ -f=_					doVaultClient
|secretsdump.py	>mimikatz
|secure-delete	>blkdiscard
|security	-a=_ -s=_ -l=_ -k=_ -p=_ -t=_ -c=_ -C=_ -D=_ -G=_ -j=_ -o=w -d -w		1			doSecurity
|sed gsed	-e,--expression=_ -f,--file=r -i,-I,--in-place?=_ -l,--line-length=_ -n,--quiet,--silent -E,-r -s,--separate -z --posix --debug --sandbox -u,--unbuffered --follow-symlinks -a					doSed
|seed	>qjs
|select-string	>get-content
|selene	>love
|semantic-release	-d,--dry-run+inert -b,--branches=_ -r,--repository-url=_ -e,--extends=_			8
|semodule	>setenforce
|send-cli	>transfer.sh-cli
|send-mailmessage	-To=_ -From=_ -Subject=_ -Body=_ -Attachments=_ -SmtpServer=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doSendMail
|sendEmail	>swaks
|sendemail	>swaks
|sendgrid	>twilio
|sendmail ssmtp msmtp exim exim4 postfix-sendmail esmtp nullmailer-inject	-f=_ -F=_ -o=_ -a,--account=_ -C=_ --host=h --from=_ -X=w					doMail
|sendme	>transfer.sh-cli
|sensors	-c,--config-file=r -A,--no-adapter -f,--fahrenheit -s,--set -u -j --bus-list -v	_*
|sentry	>aliyun
|sentry-cli	>aliyun
|seq jot expr true false test [ echo printf pwd sleep users cal ncal bc size tput clear getopt yes wait							always
|sequelize	>alembic
|sequelize-cli	>alembic
|serveo	>localtunnel
|serverless	>cdktf
|service	--status-all --full-restart					doService
|set-acl	-Path,-LiteralPath=_ -AclObject=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doSetACL
|set-adaccountpassword	>new-localuser
|set-content add-content out-file tee-object export-csv export-clixml	-Path,-LiteralPath,-FilePath,-PSPath=_ -Value=_ -InputObject=_ -Encoding=_ -Width=_ -Delimiter=_ -Append -Variable=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doSetContent
|set-disk	>format-volume
|set-dnsclientserveraddress	>disable-netadapter
|set-executionpolicy	-ExecutionPolicy=_ -Scope=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doExecutionPolicy
|set-item	>set-itemproperty
|set-itemproperty new-itemproperty remove-itemproperty set-item	-Path,-LiteralPath=_ -Name=_ -Value=_ -PropertyType,-Type=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doItemProperty
|set-localuser	>new-localuser
|set-location push-location	-Path,-LiteralPath=D -StackName=_	D	514
|set-mppreference add-mppreference remove-mppreference uninstall-windowsfeature disable-windowsoptionalfeature set-netfirewallprofile disable-netfirewallrule remove-netfirewallrule new-netfirewallrule disable-bitlocker suspend-bitlocker set-psdebug disable-computerrestore	-Enabled=_ -Profile,-All=_ -Name=_ -DisplayName=_ -Direction=_ -Action=_ -ExclusionPath=_ -ExclusionProcess=_ -MountPoint=_ -Drive=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doProtection
|set-netfirewallprofile	>set-mppreference
|set-psdebug	>set-mppreference
|set-scheduledtask	>register-scheduledtask
|set-service	>stop-service
|setarch			256			doSetarch
|setcap	-q -v+inert -n=_ -f -r	_ o*				doSetcap
|setenforce aa-disable aa-teardown aa-complain apparmor_parser semodule setsebool csrutil spctl tccutil						doGuardOff
|setfacl	-R,--recursive+recursive -m,--modify=_ -x,--remove=_ -M,--modify-file=r -X,--remove-file=r --set=_ --restore=_ -b,--remove-all -k,--remove-default -d,--default --test+inert -n,--no-mask --mask -P,--physical -L,--logical -v,--version+inert -h,--help+inert --set-file=r					doSetfacl
|setlock	-n -N -x -X -d	_ C	1
|setoolkit	>nikto
|setpriv	--ambient-caps=_ --inh-caps=_ --bounding-set=_ --ruid=_ --euid=_ --rgid=_ --egid=_ --reuid=_ --regid=_ --groups=_ --securebits=_ --pdeathsig=_ --selinux-label=_ --apparmor-profile=_ -d,--dump --clear-groups --keep-groups --init-groups --list-caps --no-new-privs,--nnp --reset-env --ptracer=_ --landlock-access=_ --landlock-rule=_ --seccomp-filter=r -V	C	1
|setsebool	>setenforce
|setsid	-c,--ctty -f,--fork -w,--wait -V	C	1
|setuidgid	>gosu
|setx	/m		544			doSetx
|sfdisk	-l,--list -g,--show-geometry -s,--show-size -d,--dump -J,--json -F,--list-free -V,--verify -T,--list-types -v,--version+inert -h+inert -n,--no-act+inert -N,--partno=_ -f,--force -a,--append -b,--backup -O,--backup-file=_ -o,--output=_ -X,--label=_ -w,--wipe=_ -W,--wipe-partitions=_ -u,--unit=_ --part-label --part-type --part-uuid --part-attrs --disk-id --delete -A,--activate -r,--reorder					doPartition
|sftp psftp	-B=_ -b=_ -c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -R=_ -S=P -s=_ -X=_ -4 -6 -A -a -C -f -N -p -q -r -v					doSftp
|sg			1			doSg
|sgdisk	-p,--print -v,--verify -i,--info=_ -O,--print-mbr -L,--list-types -V,--version+inert -P,--pretend+inert -o,--clear -z,--zap -Z,--zap-all -n,--new=_ -d,--delete=_ -t,--typecode=_ -c,--change-name=_ -g,--mbrtogpt -G,--randomize-guids -b,--backup=_ -R,--replicate=_ -l,--load-backup=r -a,--set-alignment=_ -A,--attributes=_ -h,--hybrid=_ -U,--disk-guid=_ -u,--partition-guid=_ -m,--gpttombr=_ -r,--transpose=_ -D,--display-alignment -E,--end-of-largest -F,--first-aligned-in-largest -f,--first-in-largest -S=_ --adjust-main-table=_ -B,--byte-swap-name=_ -N,--largest-new=_ -j,--move-main-table=_ --resize-table=_ -T,--transform-bsd=_					doPartition
|sh bash dash ash zsh ksh mksh oksh lksh pdksh yash rbash rzsh rksh posh hush osh brush loksh nologin umpire-sh	-o=_ -O=_ --rcfile,--init-file=_ --emulate=_ -n+inert --dump-strings --dump-po-strings -a -b -c -e -f -h -i -k -l,--login -m -p -r,--restricted -s -t -u -v,--verbose -x -B -C -D -E -F -G -H -I -P -T -X -Y --norc --noprofile --posix --noediting --debugger --wordexp --no-rcs		1			doShell
|sha1sum	>md5sum
|sha224sum	>md5sum
|sha256sum	>md5sum
|sha384sum	>md5sum
|sha512sum	>md5sum
|shards	>luarocks
|shasum	-a,--algorithm=_ -b,--binary -c,--check -t,--text -U,--UNIVERSAL -0,--01 -q,--quiet -s,--status --ignore-missing -S,--strict --tag -w,--warn	i*					always
|shellcheck	-a,--check-sourced -C,--color?=_ -i,--include=_ -e,--exclude=_ --extended-analysis=_ -f,--format=_ --list-optional --norc --rcfile=r -o,--enable=_ -P,--source-path=D -s,--shell=_ -S,--severity=_ -V -W,--wiki-link-count=_ -x,--external-sources					doTestRunner
|shellfirm	>cc-safety-net
|shellinabox	>tmate
|shfmt	-l,--list -w,--write -d,--diff -s,--simplify -mn,--minify -f,--find -i,--indent=_ -ln,--language-dialect=_ -p,--posix -bn,--binary-next-line -ci,--case-indent -sr,--space-redirects -kp,--keep-padding -fn,--func-next-line --filename=_ --apply-ignore -tojson,--to-json -fromjson,--from-json					doTestRunner
|shipit	>cap
|shopify	>aliyun
|shorebird
	release patch				8
	preview doctor login logout init upgrade flutter
|shred gshred	-n,--iterations=_ -s,--size=_ --random-source=_ -u,--remove?=_ -f,--force+force -z,--zero -v,--verbose -x,--exact					doShred
|shutdown telinit init systemctl-reboot Stop-Computer	-c -k --wtmp-only -t=_ --no-wall -h -r -H,--halt -P,--poweroff --reboot -f -F -n -a --show --when=_ -s -o -u					doPower
|shx		C	1
|sidekiq	>brakeman
|siege	-C,--config -v,--verbose -q,--quiet -g,--get -p,--print -c,--concurrent=_ -r,--reps=_ -t,--time=_ -d,--delay=_ -b,--benchmark -i,--internet -f,--file=r -R,--rc=r -L,--log=a -l?=_ -m,--mark=_ -H,--header=_ -A,--user-agent=_ -T,--content-type=_ -j,--json-output --no-parser --no-follow					doLoad
|signal-cli	>slackcat
|signalwire	>twilio
|sish	>localtunnel
|size	>seq
|skaffold	>aliyun
|skeema	>alembic
|skill	-f,--fast -i,--interactive -l,--list -L,--table -n,--no-action+inert -v,--verbose -w,--warnings -c,--command=_ -p,--pid=_ -t,--tty=_ -u,--user=_					doPkill
|skopeo	-s,--src=_ -d,--dest=_ --src-creds=_ --dest-creds=_ --creds=_ --authfile=r --src-authfile=r --dest-authfile=r -f,--format=_ --policy=r --override-os=_ --override-arch=_ --command-timeout=_ --src-cert-dir=_ --dest-cert-dir=_ --sign-by=_ --digestfile=w -a,--all --insecure-policy --raw --config --debug -q,--quiet					doImageTool
|slack-cli	>slackcat
|slackcat slack-cli telegram-send discordo matrix-commander signal-cli ntfy pushover noti-send tweet toot t bsky himalaya apprise	-c,--channel=_ -t,--title=_ -f,--file=_ -F=_ -u=_ -a=_ -m=_					doSay
|sleep	>seq
|slim-lint	>brakeman
|slogin	>ssh
|slowhttptest	-a=_ -b=_ -c=_ -d=_ -e=_ -f=_ -i=_ -j=_ -k=_ -l=_ -m=_ -n=_ -o=w -p=_ -r=_ -s=_ -t=_ -u=_ -v=_ -w=_ -x=_ -y=_ -z=_ -1=_ -B -H -R -X -g					doLoad
|sls	>cdktf
|smbclient rpcclient smbmap	-c,--command=_ -U,--user=_ -W=_ -p=_ -I=_ -A,--authentication-file=r -L=h -D=_ -t=_ -m=_ -n=_ -T=_ -H=_ -u=_ -d=_ -N,--no-pass -k,--kerberos -g,--grepable -E,--stderr -P,--machine-pass -e,--encrypt -q,--quiet -B,--browse --option=_ -s,--configfile=r -l,--log-basename=_ -O,--socket-options=_ -R,--name-resolve=_ -M,--message=h -b,--send-buffer=_					doSmb
|smbexec.py	>evil-winrm
|smbget	-U,--user=_ -L=h -D,--dots -n,--nonprompt -u,--update -d=_ -e,--encrypt -q,--quiet -s,--configfile=r -O,--stdout -R,--recursive -M,--message=h -b=_ --debuglevel=_ -w,--workgroup=_					doSmb
|smbmap	>smbclient
|smtp-cli	>swaks
|snap	-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_		2048			doSystemPackages		list *,info *		-c --config -o --option --installroot --setopt --root -R
|snapcraft	--release,--channel,--architecture=_
	upload push				8
	release promote close register set-default-track				1
	pack prime stage build clean login logout whoami status list names lint pull export-login
|snapper	-q,--quiet -v,--verbose --debug --utc --iso -t,--table-style=_ --abbreviate --machine-readable=_ --csvout --jsonout --separator=_ --no-headers -c,--config=_ --no-dbus -r,--root=D -a,--ambit=_ --type=_ --pre-number=_ -p,--print-number -d,--description=_ --cleanup-algorithm=_ -u,--userdata=_ --command=c --read-only --from=_ -s,--sync --disable-used-space -o,--output=w -i,--input=r -x,--extensions=_ --diff-cmd=c					doBackup
|snow	>aliyun
|snow-sql	>snowsql
|snowsql snow-sql bteq trino presto trino-cli presto-cli hive beeline impala-shell ksql databricks-sql vertica-sql ysqlsh isql isql-fb nzsql dbaccess ij monetdb crash questdb h2 jdbcsql usql dbcli rsql ydb surreal edgedb gel dgraph materialize rqlite	-q,-e,-Q,--query,--execute,--command,-c=q -f,--filename,--file=_ -o=_ -u,-n=_ -p=_ -d,--database,--dbname=_ -h,--host,--server=_ -a=_ -w=_ -r=_ -s=_ --catalog=_ --schema=_				snowflake	doSQLClient
|socat socat2 socat1	-b=_ -t=_ -T=_ -l=_ -L=_ -W=_ -r=w -R=w -lf=_ -lp=_ -x -v -d -D -u -U -s -g -4 -6 -ly -lm -ls -lu -lh -V+inert -h+inert		3			doSocat
|socat1	>socat
|socat2	>socat
|soda	>alembic
|softlimit	-a=_ -c=_ -d=_ -f=_ -l=_ -m=_ -o=_ -p=_ -r=_ -s=_ -t=_	C	1
|softwareupdate	>installer
|sops	-d,--decrypt -e,--encrypt -i,--in-place --output=_ --extract=_ --set=_ --kms=_ --age=_ --pgp=_ --input-type=_ --output-type=_					doSops
|sort gsort	-o,--output=w --compress-program=P --files0-from=r --random-source=_ -k,--key=_ -t,--field-separator=_ -T,--temporary-directory=_ -S,--buffer-size=_ --batch-size=_ --parallel=_ --sort=_ -b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort -i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort -r,--reverse -V,--version-sort -c,--check -C -m,--merge -s,--stable -u,--unique -z,--zero-terminated --debug	r*				doSortLike	options
|sox	>optipng
|spark-sql	-e=q -f=_ -i=r -d,--define,--hivevar,--hiveconf=_ --database=_ --master=_ --deploy-mode=_ --name=_ --jars=r --packages=_ --repositories=_ --py-files=r --files=r --conf,-c=_ --properties-file=r --driver-memory=_ --executor-memory=_ --total-executor-cores=_ --num-executors=_ --queue=_ --keytab=r --principal=_ -S,--silent -v,--verbose				spark	doSQLClient
|spctl	>setenforce
|spirv-opt	>clang-format
|spirv-val	>clang-format
|split gsplit	-b,--bytes=_ -l,--lines=_ -n,--number=_ -a,--suffix-length=_ -C,--line-bytes=_ -t,--separator=_ --filter=c --additional-suffix=_ -d -x --numeric-suffixes?=_ --hex-suffixes?=_ -e,--elide-empty-files -u,--unbuffered --verbose	r t				doSplitService
|split-path	>test-path
|splunk	>aliyun
|sponge	-a					doTee
|sprunge	>pastebinit
|sqitch	>alembic
|sql	>sqlplus
|sql-migrate	>alembic
|sqlc	>air
|sqlcipher	>sqlite3
|sqlcl	>sqlplus
|sqlcmd osql tsql mssql-cli	-Q=q -q=q --query=q -i,--input-file=_ -o=w -S=_ -U=_ -P=_ -d=_ -v=_ -H=_ -D=_ -h=_ -s=_ -l=_ -t=_ -w=_				mssql	doSQLClient
|sqlite	>sqlite3
|sqlite-utils	>sqlite3
|sqlite3 sqlite litecli sqlite-utils sqlcipher	-cmd=q -init=_ -separator=_ -nullvalue=_ -newline=_ -mmap=_ -vfs=_ -header -csv -json -line -list -html -batch -bail -readonly		2		sqlite	doSQLite
|sqlmap	-u,--url=u -d=_ -l=r -m=r -r=r -g=_ -c=r -A,--user-agent=_ -H,--header=_ --method=_ --data=_ --param-del=_ --cookie=_ --load-cookies=r --drop-set-cookie --random-agent --host=_ --referer=_ --headers=_ --auth-type=_ --auth-cred=_ --auth-file=r --proxy=_ --proxy-cred=_ --proxy-file=r --tor --delay=_ --timeout=_ --retries=_ -o --threads=_ -p=_ --skip=_ --dbms=_ --os=_ --prefix=_ --suffix=_ --tamper=_ --level=_ --risk=_ --technique=_ -a,--all -b,--banner --current-user --current-db --is-dba --users --passwords --dbs --tables --columns --schema --count --dump --dump-all -D=_ -T=_ -C=_ --sql-query=q --sql-shell --sql-file=r --os-cmd=_ --os-shell --os-pwn --file-read=_ --file-write=r --file-dest=_ -s=r -t=w --batch --crawl=_ --forms --flush-session --output-dir=t --eval=e --wizard --purge -v=_ --tmp-dir=t --answers=_ --config=r --update		2		python	doIntrusion
|sqlplus sqlcl sql rman	-s,-S,-silent -L -V,-v+inert				oracle	doOracle
|sqlx	>alembic
|square	>stripe
|squawk	>alembic
|srm	-r,-R,--recursive+recursive -f,--force+force -i,--interactive -s,--simple -m,--medium -z,--zero -n,--nounlink -v,--verbose -l -d,--directory					doShred
|ss	-h -V -n,--numeric -r,--resolve -a,--all -l,--listening -o,--options -e,--extended -m,--memory -p,--processes -T,--threads -i,--info -s,--summary -E,--events -Z,--context -z,--contexts -N,--net=_ -b,--bpf -4,--ipv4 -6,--ipv6 -0,--packet -t,--tcp -u,--udp -d,--dccp -w,--raw -x,--unix -S,--sctp -M,--mptcp -H,--no-header -Q,--no-queues -O,--oneline -f,--family=_ -A,--query,--socket=_ -D,--diag=w -F,--filter=r -K,--kill+changes --vsock --xdp --tipc --cgroup --tos --bpf-maps --inet-sockopt	_*
|ssh slogin autossh dbclient et sshpass-ssh tsh	-B=_ -b=_ -c=_ -D=_ -E=w -e=_ -F=_ -I=_ -i=_ -J=_ -L=_ -l=_ -m=_ -O=_ -o=_ -P=_ -p=_ -Q=_ -R=_ -S=_ -W=_ -w=_ -V+inert -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -v -X -x -Y -y --ssh=P --server=_ -M=_		1			doSSH
|ssh-add	-t=_ -e=_ -s=_ -E=_ -H=_ -h=_ -l+inert -L+inert -T+inert					doSSHAdd
|ssh-copy-id	-i=_ -p=_ -o=_ -F=_ -n+inert -f -s -x -h+inert -t=_					doSSHCopyID
|ssh-keygen	-f=_ -t=_ -b=_ -C=_ -N=_ -P=_ -m=_ -E=_ -F=_ -R=_ -r=_ -D=_ -I=_ -n=_ -O=_ -s=_ -V=_ -w=_ -Y=_ -z=_ -Z=_ -a=_ -M=_ -T=_ -l -y -p -q -e -i -c -B -A -H -k -K -L -Q -U -h -u -v					doSSHKeygen
|ssh-keyscan	-f=r -p=_ -t=_ -T=_ -4 -6 -c -D -H -q -v -O=_	h*
|sshd	-p=_ -f=_ -o=_ -h=_ -E=w -C=_ -c=_ -g=_ -u=_ -t+inert -T+inert -G+inert -V+inert -4 -6 -D -d -e -i -q					doSshd
|sshpass	-p=_ -f=_ -d=_ -P=_ -e -h+inert -V+inert -v	C	1
|sshpass-ssh	>ssh
|sshuttle	-r,--remote=h -e,--ssh-cmd=P -x,--exclude=_ -X,--exclude-from=r -s,--subnets=r --pidfile=w
|sshuttle-server	>tmate
|sshx	>tmate
|ssmtp	>sendmail
|sst	>cdktf
|st	>xterm
|stack	--server=_ --source=_ --only-server=_ --mirror=_ -e=_					doOtherManager		list *	build test check haddock bench	--with-* --project-file --stack-yaml --exec --ghc-options --builddir
|stack-runghc	>ghci
|stacks	>cdktf
|standard	>air
|standardrb	>brakeman
|start-bitstransfer	-Source=_ -Destination=_ -TransferType=_ -DisplayName=_ -Asynchronous -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doBits
|start-stop-daemon	-b,--background -m,--make-pidfile -v,--verbose -q,--quiet -o,--oknodo -C,--no-close -T,--status --remove-pidfile --notify-await -x,--exec=_ -a,--startas=_ -p,--pidfile=_ -n,--name=_ -u,--user=_ -c,--chuid=_ -d,--chdir=_ -s,--signal=_ -R,--retry=_ -N,--nicelevel=_ -P,--procsched=_ -I,--iosched=_ -k,--umask=_ -r,--chroot=_ -g,--group=_ -O,--output=_ --ppid=_ --pid=_ -S,--start -K,--stop -t,--test+inert		1			doStartStop
|stat	-c,--format=_ --printf=_ -f -L -t -r -x -f,--file-system -L,--dereference -t,--terse --cached=_ -l -n -q -s	i*					always
|staticcheck	-checks=_ -f=_ -fail=_ -go=_ -tests -tags=_ -explain=_ -list-checks -matrix -merge -show-ignored -version -debug.version -debug.cpuprofile=w -debug.memprofile=w		2			doTestRunner
|statsig	>aliyun
|stdbuf	-i,--input=_ -o,--output=_ -e,--error=_	C	1				always
|steamcmd steamcmd.sh			1			doSteam
|steamcmd.sh	>steamcmd
|steep	>brakeman
|steghide	-ef,--embedfile=r -cf,--coverfile=r -sf,--stegofile=r -xf,--extractfile=w -p,--passphrase=_ -e,--encryption=_ -z,--compress=_ -Z,--dontcompress -K,--nochecksum -N,--dontembedname -f,--force -q,--quiet -v,--verbose					doDecodeFile
|stencil	>air
|step-ca	>aliyun
|stern	>kustomize
|stop-computer restart-computer	-WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doStopComputer
|stop-process	-Name,-ProcessName=_ -Id=_ -InputObject=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doStopProcess
|stop-service set-service remove-service suspend-service restart-service disable-service	-Name,-DisplayName=_ -StartupType=_ -Status=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514			doWinService
|stop-vm	>remove-vm
|strace	-A -c -C -d -D -f -ff -F -h -i -k -n -N -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -Y -z -Z --follow-forks --summary-only --summary -e,--trace=_ -E,--env=E -p,--attach=_ -u,--user=_ -b,--detach-on=_ -I,--interruptible=_ -P,--trace-path=_ -a,--columns=_ -o,--output=_ -s,--string-limit=_ -X,--const-print-style=_ -O,--summary-syscall-overhead=_ -S,--summary-sort-by=_ -U,--summary-columns=_		1			doStrace
|strapi	>alembic
|streamlit									run version	--server.* --browser.*
|strings gstrings	-n,--bytes=_ -t,--radix=_ -e,--encoding=_ -T,--target=_ -s,--output-separator=_ -U,--unicode=_ -a,--all -d,--data -f,--print-file-name -o -w,--include-all-whitespace	r*					always
|stripe square paypal braintree adyen plaid chargebee recurly lemonsqueezy razorpay mollie	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --api-key=_ -d,--data=_ --live					doMoney
|stunnel	>localtunnel
|stylelint	>pytest
|stylua	>love
|su	-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -w,--whitelist-environment=_ -l,--login -m,-p,--preserve-environment -f,--fast -P,--pty -T,--no-pty -V					doSu
|su-exec	>gosu
|subfinder	-d,-domain=_ -dL,-list=r -s,-sources=_ -recursive -all -es,-exclude-sources=_ -m,-match=_ -f,-filter=_ -rl,-rate-limit=_ -t=_ -o,-output=w -oJ,-json -oD,-output-dir=t -cs,-collect-sources -oI,-ip -config=r -pc,-provider-config=r -r=_ -rL,-rlist=r -nW,-active -proxy=_ -ei,-exclude-ip -silent -version -v -nc,-no-color -ls,-list-sources -timeout=_ -max-time=_ -up,-update		2			doIntrusion
|sudo	-u,--user=_ -g,--group=_ -h,--host=_ -p,--prompt=_ -C,--close-from=_ -D,--chdir=_ -R,--chroot=_ -r,--role=_ -t,--type=_ -T,--command-timeout=_ -U,--other-user=_ -a,--auth-type=_ -c,--login-class=_ -l,--list+inert -v,--validate+inert -V,--version+inert -k,--reset-timestamp -K,--remove-timestamp -e,--edit -s,--shell -i,--login --preserve-env?=_ -n,--non-interactive -E -H,--set-home -S,--stdin -A,--askpass -b,--background -B,--bell -N,--no-update -P,--preserve-groups		1			doSudo
|sum gsum	-r -s,--sysv	i*					always
|supabase	>aliyun
|supervisorctl	-c,--configuration=r -i,--interactive -s,--serverurl=_ -u,--username=_ -p,--password=_ -r,--history-file=w					doSv
|surge	>aliyun
|surreal	>snowsql
|suspend-bitlocker	>set-mppreference
|suspend-service	>stop-service
|sv svc s6-svc pm2-system	-v -w=_					doSv
|svc	>sv
|svgo	>optipng
|svn	--username=_ --password=_ --config-dir=_ --config-option=_ --editor-cmd=P --diff-cmd=P --diff3-cmd=P --non-interactive --trust-server-cert --trust-server-cert-failures=_ --no-auth-cache --force-interactive --password-from-stdin
	delete del remove rm	--editor-cmd=c --targets=r					doSvn
	revert	-R,--recursive+recursive					doHgRevert
	cleanup	--remove-unversioned --remove-ignored					doSvn
	commit ci	-m=_ -F=_ --editor-cmd=c --targets=r					doSvn
	import relocate	-m,--message=_ -F,--file=r --editor-cmd=c					doSvn
	switch sw	--relocate					doSvn
|sw_vers	>readelf
|swaks sendemail sendEmail mailsend smtp-cli git-send-email mpack himalaya-send	--to,-t=_ --from,-f=_ --server,-s=_ --body=_ --attach,-a=_ --header=_ --data=_ -u=_ -m=_ -xu=_ -xp=_ -o=_ --h-Subject=_ --output,--output-file=w --output-file-stdout,--output-file-stderr=w --tls-cert,--tls-key=r		2			doMailTool
|swapoff	-L=_ -U=_					doMount
|swapon	-L=_ -U=_ -p,--priority=_ -o,--options=_ -T,--fstab=r -s,--summary -l					doMount
|swc	>pytest
|swc-node	>ts-node
|swe-agent	>claude
|sweep	>claude
|swift	-e=e --dry-run+inert -c,--config-file=_ -r,--recursive -f,--force				swift	doSwift		package describe,package show-dependencies
|swift-cli	>aliyun
|swiftenv	>plenv
|swupd	>apt-get
|symfony	>console
|sysadminctl	>useradd
|sysctl	-w,--write -p,--load?=_ -a,--all -n -q --system					doSysctl
|syslogd	>rsyslogd
|systemctl	--image=_ --image-policy=_ --job-mode=_ --kill-who,--kill-whom=_ --kill-value=_ --preset-mode=_ --boot-loader-menu=_ --boot-loader-entry=_ --firmware-setup --message=_ --timestamp=_ --reboot-argument=_ --legend=_ --when=_ --what=_ -P=_ -C,--capsule=_ -H,--host=_ -M,--machine=_ -t,--type=_ -p,--property=_ -n,--lines=_ -o,--output=_ --state=_ -s,--signal=_ --root=_ --user --now --no-pager -a,--all -l,--full -q		2048			doSystemctl		status *,is-active *,is-enabled *,list-units *,list-timers *,list-unit-files *		-H --host -M --machine --root
|systemctl-reboot	>shutdown
|systemd-cat	-t,--identifier=_ -p,--priority=_ --stderr-priority=_ --level-prefix=_ --namespace=_	C	1
|systemd-inhibit	--what=_ --who=_ --why=_ --mode=_ --list+inert --no-pager --no-legend --no-ask-password	C	1
|systemd-nspawn	-D,--directory=_ -M,--machine=_ -u,--user=_ -i,--image=_ --bind=_ --bind-ro=_ -E,--setenv=_ --chdir=_ --template=_ -x,--ephemeral -b,--boot -a,--as-pid2 -q,--quiet --read-only --volatile?=_ --root-hash=_ --pivot-root=_ --hostname=_ --uuid=_ -S,--slice=_ --property=_ --register=_ --keep-unit -U --private-users?=_ --private-network --network-interface=_ --network-macvlan=_ --network-ipvlan=_ -n,--network-veth --network-veth-extra=_ --network-bridge=_ --network-zone=_ --network-namespace-path=_ -p,--port=_ --capability=_ --drop-capability=_ --no-new-privileges=_ --system-call-filter=_ -Z,--selinux-context=_ -L,--selinux-apparmor-context=_ --rlimit=_ --oom-score-adjust=_ --cpu-affinity=_ --personality=_ --resolv-conf=_ --timezone=_ --link-journal=_ -j --tmpfs=_ --overlay=_ --overlay-ro=_ --inaccessible=_ --console=_ -P,--pipe --settings=_ --kill-signal=_ --notify-ready=_ --no-pager		1			doProot
|systemd-run	-d,--same-dir -P,--pipe -t,--pty -q,--quiet -G,--collect -S,--shell -r,--remain-after-exit --scope --user --system --wait --no-block --no-ask-password --send-sighup --ignore-failure -T,--pty-late -H,--host=_ -M,--machine=_ -u,--unit=_ -p,--property=_ --description=_ --slice=_ --service-type=_ --uid=_ --gid=_ --nice=_ --working-directory=_ -E,--setenv=_ --path-property=_ --socket-property=_ --on-active=_ --on-boot=_ --on-startup=_ --on-unit-active=_ --on-unit-inactive=_ --on-calendar=_ --timer-property=_ --background=_		1			doSystemdRun
|systemsetup	>pmset
|t	>slackcat
|tac gtac	-s,--separator=_ -b,--before -r,--regex	r*				doCat	always
|tail gtail	-n,--lines=_ -c,--bytes=_ -s,--sleep-interval=_ --pid=_ --max-unchanged-stats=_ -f,--follow -f,--follow?=_ -F -q,--quiet,--silent -v,--verbose -z,--zero-terminated -r -b=_ --retry --debug	r*				doCat	always
|tailscale	>localtunnel
|tailscaled	>localtunnel
|takeown	/f=_ /r+recursive /d=_ /a		544			doTakeown
|talosctl	>aliyun
|tap	>pytest
|tar gtar	-f,--file=_ -C,--directory=D -x,--extract,--get -c,--create -t,--list -r,--append -u,--update --delete -T,--files-from=r -X,--exclude-from=r --exclude=_ -I,--use-compress-program=_ --to-command=P --checkpoint-action=_ --checkpoint?=_ -F,--info-script,--new-volume-script=P --rsh-command=P --rmt-command=P --transform,--xform=_ --strip-components=_ --owner=_ --group=_ --mode=_ -b=_ -H,--format=_ -K=_ -N,--newer,--after-date=_ -V,--label=_ -g,--listed-incremental=_ --remove-files -O,--to-stdout -P,--absolute-names --overwrite -z,--gzip -j,--bzip2 -J,--xz --zstd --lzma --lzip -a,--auto-compress -v,--verbose -k,--keep-old-files -m,--touch -p,--preserve-permissions -S,--sparse -h,--dereference -W,--verify -w,--interactive -l,--check-links -Z,--compress --add-file=r --index-file=w --exclude-ignore,--exclude-ignore-recursive,--exclude-tag,--exclude-tag-all,--exclude-tag-under=_ --group-map,--owner-map=r --mtime,--sort=_		16			doTar	words			-I -T --checkpoint-action --to-command -F --rsh-command --rmt-command -g -P --use-compress-program --index-file --volno-file
|tarantool	-e=e -l=_ -i -j=_ -v,--version		1		lua	doScriptFile
|tarsnap	-c -d+destroys-data -t -x -r -f=_ --keyfile=r --cachedir=t --fsck --fsck-prune+destroys --nuke+destroys-data --list-archives --print-stats --dry-run+inert -C=D -T=r -X=r --exclude=_ --include=_ -v -q --humanize-numbers --no-print-stats --configfile=r --maxbw=_ --maxbw-rate=_ --maxbw-rate-up=_ --aggressive-networking --recover					doBackup
|tart	--no-graphics --from-ipsw=_ --linux --disk-size=_ --memory=_ --cpu=_ --display=_ --dir=_ --net-bridged=_ --net-softnet --vnc --insecure --concurrency=_ --wait=_ --timeout=_ --format=_ --source=_ --older-than=_ --space-budget=_ --entries=_					doCloud
|task	>ninja
|taskkill tskill	-u,-U,--user,--euid,--uid=_ -s,--signal=_ -g=_ -P=_ -t=_ -f,--full -l,--list -o,--oldest -y=_ -n -e,--exact -w,--wait -c,--count -x -i,--ignore-case -v,--inverse -A,--ignore-ancestors -H,--require-handler -q,--queue=_ -F,--pidfile=r -L,--logpidfile -G,--group=_ --session=_ --terminal=_ --parent=_ --pgroup=_ --ns=_ --nslist=_ --newest -r,--runstates=_ --cgroup=_					doPkill
|taskset	-a,--all-tasks -c,--cpu-list -p,--pid -V	_ C	1
|tc	>ifconfig
|tccli	>aliyun
|tccutil	>setenforce
|tclsh wish jimsh			1			doTclsh
|tcpdump	-z,--postrotate-command=_ -w=w -W=_ -G=_ -C=_ -c=_ -i,--interface=_ -r=r -F=_ -s,--snapshot-length=_ -B=_ -E=_ -j=_ -m=_ -M=_ -T=_ -y=_ -Z=_ -V=_ -Y=_ -f -e -X -o=_ -a=_ -b -A -d -D -h -H -I -J -K -l -L -n -N -O -p -P=_ -q -R -S -t -u -U -v -vv -vvv -x -xx -XX -# --print --immediate-mode --count --number --list-interfaces					doCapture
|tcpflow	-a -A -b=_ -B -c -C -d=_ -D -e=_ -E=_ -f=_ -F=_ -g -h -H -i=_ -I -J -k -K -l -L=_ -m=_ -o=t -p -P -q -r=r -R=r -s -S=_ -T=_ -U=_ -v -V -w=w -x=_ -X=w -y -Z -0	_*
|tcptraceroute	-d -n -N -i=_ -f=_ -l=_ -q=_ -t=_ -m=_ -p=_ -P=_ -s=_ -w=_ -S -A -E -F	h
|tcsh	>csh
|tctl	>aliyun
|tdnf	>apt-get
|tea	>gh
|teamcity	>aliyun
|tee gtee	-a,--append --output-error?=_ -i,--ignore-interrupts -p					doTee	always
|tee-object	>set-content
|telebit	>localtunnel
|teleconsole	>tmate
|telegram-send	>slackcat
|telepresence	>aliyun
|telinit	>shutdown
|teller	>doppler
|telnet	-l=_ -n=w -e=_ -b=_ -X=_ -4 -6 -8 -E -K -L -N -a -c -d -f -F -k -r -x -y -S=_					doTelnet
|tempfile	-d,--directory=_ -p,--prefix=_ -s,--suffix=_ -m,--mode=_ -n,--name=w					doMktemp
|templ	>air
|temporal	>aliyun
|tensorboard									any	--host --bind_all --path_prefix --db --load_fast
|termbin	>pastebinit
|terminator	>xterm
|terminus	>aliyun
|termite	>xterm
|tern	>alembic
|terraform tf tofu opentofu	-chdir=_ --terragrunt-config-path=_ --terragrunt-source=_ --terragrunt-log-level=_ --terragrunt-iam-role=_ -var=_ -var-file=_ -target=_ -state=_ -out=_ -backup=_ -lock-timeout=_ -parallelism=_ -replace=_ -backend-config=_ -plugin-dir=_ -dry-run+inert --terragrunt-working-dir,--working-dir=_ --terragrunt-config=_ --queue-include-dir=_ --log-level=_		2050			doTerraform		version,providers,workspace list,workspace show,state list *,graph		-chdir
|terragrunt tg terramate atmos	-chdir=_ --terragrunt-config-path=_ --terragrunt-source=_ --terragrunt-log-level=_ --terragrunt-iam-role=_ -var=_ -var-file=_ -target=_ -state=_ -out=_ -backup=_ -lock-timeout=_ -parallelism=_ -replace=_ -backend-config=_ -plugin-dir=_ -dry-run+inert --terragrunt-working-dir,--working-dir=_ --terragrunt-config=_ --queue-include-dir=_ --log-level=_		2050			doTerraform
|terramate	>terragrunt
|test	>seq
|test-path split-path join-path	-Path,-LiteralPath=_ -PathType=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_		514
|texlua	>lua
|texturepacker	>optipng
|tf	>terraform
|tfenv								list *
	exec		C	1
|tflint	>kube-linter
|tflocal	>cdktf
|tfsec	>kube-linter
|tftp atftp	-c=_ -m=_ -l=_ -r=_ -p,--put -g,--get --local-file=_ --remote-file=_ -4 -6 -v					doTftp
|tg	>terragrunt
|thycotic	>conjur
|tidb-client	>mysql
|tigris	>aliyun
|tilix	>xterm
|tilt	>aliyun
|time gtime	-f,--format=_ -o,--output=w -a,--append -p,--portability -v,--verbose -q,--quiet -l -h	C	1				always
|timedatectl ntpdate						doClock
|timelimit	-t=_ -T=_ -s=_ -S=_ -p -q	C	1
|timeout gtimeout	-s,--signal=_ -k,--kill-after=_ -f,--foreground -p,--preserve-status -v,--verbose	_ C	1				always
|timescale	>aliyun
|timeshift timeshift-cli	--list --list-snapshots --list-devices --check --create --comments=_ --tags=_ --restore+destroys --snapshot,--snapshot-name=_ --target,--target-device=_ --grub-device=_ --skip-grub --clone+destroys --delete+destroys --delete-all+destroys-data --yes --rsync --btrfs --backup-device=_ --snapshot-device=_ --verbose --quiet --scripted --debug					doBackup
|timeshift-cli	>timeshift
|tini	-p=_ -e=_ -s -v -vv -vvv -w -g -l	C	1
|tirith	>cc-safety-net
|tkn	>aliyun
|tlmgr	>luarocks
|tmate teleconsole sshx ttyd gotty wetty shellinabox sshuttle-server	-p,--port=_ -i,--interface=_ -c,--credential=_					doShareTerminal
|tmutil	-d=_ -t=_ -p=_ -a -v -m -b,--block -c -s -X -r,--rotation -D=_ -R -S -E -n=_ --auto --destination=_		1			doBackup
|tmux	-2 -8 -C -D -l -N -u -U -v -V -c=c -f=_ -L=_ -S=_ -T=_		1			doTmux
|tnftp	>ftp
|tofu	>terraform
|tomlq	>xq
|toot	>slackcat
|top	-b -c -d=_ -E=_ -e=_ -H -i -n=_ -O -o=_ -p=_ -S -s -1 -u=_ -U=_ -w?=_ -W -l=_ -R -F -pid=_ -stats=_	_*					words
|torify	-v,--verbose -V	C	1
|torsocks tsocks	-f=_ -u,--user=_ -p,--pass=_ -a=_ -P,--port=_ -i,--isolate -q,--quiet -d,--debug --shell -v	C	1
|touch gtouch	-d,--date=_ -r,--reference=_ -t=_ --time=_ -a -m -c,--no-create -f -h,--no-dereference -A=_	o*					always
|tox	>ninja
|toybox	>busybox
|tput	>seq
|tr gtr	-d,--delete -s,--squeeze-repeats -c,-C,--complement -t,--truncate-set1					doTr	always
|tracepath	-4 -6 -b -l=_ -m=_ -n -p=_ -V	h
|traceroute traceroute6	-f=_ -i=_ -m=_ -p=_ -q=_ -s=_ -w=_ -c=_ -4 -6 -I -T -d -F -n -r -e -A -V -N=_ -t=_ -l=_ -g=_ -z=_ -O=_ -M=_ -P=_ -U -UL -D --mtu --back --sport=_ --fwmark=_	h
|traceroute6	>traceroute
|trae	>claude
|traefik	>aliyun
|transfer.sh-cli wormhole magic-wormhole ffsend send-cli transfersh portal qrcp sendme dropbear-send			1			doSendFile
|transfersh	>transfer.sh-cli
|trash trash-put gtrash	-v,--verbose -f,--force -r,-R,--recursive -i,--interactive -d --trash-dir=_	m*
|trash-empty	-f -i -v,--verbose --all-users --trash-dir=_ --print-time --dry-run+inert					doTrash
|trash-put	>trash
|trash-rm	--trash-dir=_ -v,--verbose					doTrash
|travis	>aliyun
|tree	-L=_ -P=_ -I=_ -H=_ -T=_ -o=w --charset=_ --filelimit=_ --timefmt=_ --gitfile=r --infofile=r --sort=_ --fromtabfile --hintro=r --houtro=r -a -d -l -f -x -p -s -h -u -g -D -F -q -N -Q -i -A -S -n -C -X -J -R -v -t -c -U -r --si --du --prune --dirsfirst --filesfirst --noreport --matchdirs --ignore-case --gitignore --fromfile --inodes --device --metafirst --info	i*					options			-o -R --fromfile --fromtabfile
|trickle	-u=_ -d=_ -w=_ -t=_ -l=_ -n=_ -p=_ -L=_ -s -v -V	C	1
|trino	>snowsql
|trino-cli	>snowsql
|true	>seq
|truffleruby	>ruby
|truncate gtruncate	-s,--size=_ -r,--reference=_ -c,--no-create -o,--io-blocks					doTruncate	always
|trunk	>wasm-pack
|ts-node tsx esno jiti swc-node ts-node-dev tsimp	-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ -P,--project=_ --tsconfig=_ --loader=_		1		js	doNode
|ts-node-dev	>ts-node
|tsc	-p,--project=r -b,--build -w,--watch -t,--target=_ -m,--module=_ --outDir=t --outFile=w --rootDir=D --declarationDir=t --tsBuildInfoFile=w --lib=_ --jsx=_ --moduleResolution=_ --noEmit --strict --init --showConfig --listFiles --generateTrace=t --generateCpuProfile=w -v --skipLibCheck --esModuleInterop --incremental --sourceMap --declaration,-d --allowJs --checkJs --baseUrl=_ --types=_ --typeRoots=_ --pretty --watchFile=_ --force,-f --clean --dry+inert --verbose					doTestRunner
|tsd	>air
|tsh	>ssh
|tsh-secrets	>conjur
|tshark	-i=_ -f=_ -s=_ -p -I -B=_ -y=_ -D -L -c=_ -a=_ -b=_ -r=r -2 -M=_ -R=_ -Y=_ -n -N=_ -d=_ -H=r -w=w -C=_ -F=_ -V -O=_ -P -S=_ -x -T=_ -j=_ -J=_ -e=_ -E=_ -t=_ -u=_ -l -q -Q -g -W=_ -X=_ -U=_ -z=_ --export-objects=t --color --no-duplicate-keys --elastic-mapping-filter=_ --temp-dir=t --capture-comment=_ -o=_ -K=r -G?=_ -v --disable-protocol=_ --enable-protocol=_ --log-file=w					doCapture
|tsimp	>ts-node
|tskill	>taskkill
|tslint	>air
|tsocks	>torsocks
|tsort gtsort	-w	r*				doSortLike	always
|tsql	>sqlcmd
|tsx	>ts-node
|tty	-s,--silent,--quiet	_*					always
|ttyd	>tmate
|ttyrec	-a -u -e=c
|tune2fs	-c=_ -C=_ -e=_ -E=_ -g=_ -i=_ -I=_ -J=_ -L=_ -m=_ -M=_ -o=_ -O=_ -Q=_ -r=_ -T=_ -u=_ -U=_ -z=w -l					doMount
|turbo	>ninja
|turso	>aliyun
|tweet	>slackcat
|twilio sendgrid mailgun vonage nexmo messagebird postmark resend courier plivo signalwire	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doMessage
|twine flit	-r,--repository=_ --repository-url=u -u=_ -p=_					doUpload
|txiki	>qjs
|ty	>air
|tyk	>aliyun
|typeorm	>alembic
|typeorm-ts-node-commonjs	>alembic
|typst									compile watch fonts query	--font-path --package-path --package-cache-path --open --root
|uftrace	-d,--data=t -f,--output-fields=_ -F,--filter=_ -N,--notrace=_ -D,--depth=_ -t,--time-filter=_ -A,--argument=_ -R,--retval=_ -a,--auto-args -P,--patch=_ -k,--kernel -e,--estimate-return -l,--nest-libcall -L,--libmcount-path=_ -S,--script=x -T,--trigger=_ -v,--verbose -V --opt-file=r --logfile=w --no-pager		1			doProfiler
|ufw	-M,--modprobe=P		4096			doFirewall
|ug	>ugrep
|ugrep ug	-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive -d,--directories=_ -D,--devices=_ -g,--glob=_ --iglob=_ -t,--file-type=_ -O,--file-extension=_ -M,--file-magic=_ -N,--neg-regexp=_ -J,--jobs=_ -K,--range=_ --include=_ --exclude=_ --exclude-dir=_ --exclude-from=r --include-from=r --ignore-files?=_ --filter=P --pager?=P --view?=P --format=_ --replace=_ --separator?=_ --tabs?=_ --sort?=_ --color,--colour?=_ --files-without-match,-L --count,-c --quiet,-q -i,--ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -n,--line-number -H,--with-filename -h,--no-filename -o,--only-matching -s,--no-messages -a,--text -b,--byte-offset -I -z,--null-data -U,--binary -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -S,--smart-case -j -%,--bool -Z,--fuzzy?=_ -Q,--query?=_ -.,--hidden -k,--column-number -T,--initial-tab -u,--ungroup -W,--with-hex -X,--hex -y,--any-line -p,--no-dereference --pretty?=_ -l					doGrep
|ulimit
|umount	-t,--types=_ -O,--test-opts=_ -N,--namespace=_ --fake+inert					doMount
|umpire	--policy=_ --config=_ -C,--dir=_					doUmpire
|umpire-sh	>sh
|umzug	>alembic
|uname	-a,--all -s,--kernel-name -n,--nodename -r,--kernel-release -v,--kernel-version -m,--machine -p,--processor -i,--hardware-platform -o,--operating-system -K -U	_*					always
|unbrotli	-o,--output=w -D,--dictionary=r -S,--suffix=_ -c,--stdout -f,--force -j,--rm -k,--keep -n,--no-copy-stat -t,--test -v,--verbose	r*				doDecoder
|unbuffer	-p	C	1
|uncompress	-S=_ -b=_ -c -f -k -r -v	r*				doDecoder
|uncrustify	>clang-format
|unexpand gunexpand	-t,--tabs=_ -a,--all --first-only	r*				doSortLike	always
|unicornscan	-b,--broken-crc=_ -B,--source-port=_ -c,--proc-duplicates -d,--delay-type=_ -D,--no-defpayload -e,--enable-module=_ -E,--proc-errors -F,--try-frags -G,--payload-group=_ -H,--do-dns -i,--interface=_ -I,--immediate -j,--ignore-seq=_ -l,--logfile=w -L,--packet-timeout=_ -m,--mode=_ -M,--module-dir=t -p,--ports=_ -P,--pcap-filter=_ -q,--covertness=_ -Q,--quiet -r,--pps=_ -R,--repeats=_ -s,--source-addr=_ -S,--no-shuffle -t,--ip-ttl=_ -T,--ip-tos=_ -u,--debug=_ -U,--no-openclosed -w,--safefile=w -W,--fingerprint=_ -v,--verbose -V -z,--sniff -Z,--drone-type=_					doScan
|uninstall-windowsfeature	>set-mppreference
|uniq guniq	-f,--skip-fields=_ -s,--skip-chars=_ -w,--check-chars=_ -c,--count -d,--repeated -D --all-repeated?=_ --group?=_ -i,--ignore-case -u,--unique -z,--zero-terminated	r w				doSortLike	always
|unix2dos	>dos2unix
|unix2mac	>dos2unix
|unleash	>aliyun
|unlink gunlink		d*
|unlz4	-c,--stdout -D=r -f,--force -k,--keep -m,--multiple -q,--quiet -r -t,--test -v,--verbose --rm --list	r w*				doDecoder
|unlzma	>unxz
|unpigz	-S,--suffix=_ -p,--processes=_ -b,--blocksize=_ -c,--stdout,--to-stdout -f,--force -n,--no-name -N,--name -q,--quiet -r,--recursive -v,--verbose -t,--test -l,--list -k,--keep -H,--huffman -i,--independent -R,--rsyncable -z,--zlib	r*				doDecoder
|unrar	-y -ad -ep -id -idq -inul -kb -p- -r -v					doSevenZip
|unregister-scheduledtask	>register-scheduledtask
|unshare	-m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -U,--user?=_ -C,--cgroup?=_ -T,--time?=_ --map-user=_ --map-group=_ --map-users=_ --map-groups=_ --kill-child?=_ --mount-proc?=_ --mount-binfmt?=_ -R,--root=_ -w,--wd=_ -S,--setuid=_ -G,--setgid=_ --propagation=_ --setgroups=_ --monotonic=_ --boottime=_ -f,--fork -r,--map-root-user -c,--map-current-user --map-auto --keep-caps --forward-signals -l,--load-interp=_		1			doUnshare
|unxz unlzma	-F,--format=_ -M,--memlimit,--memory=_ -S,--suffix=_ -T,--threads=_ -c,--stdout,--to-stdout -f,--force -k,--keep -l,--list -q,--quiet -Q,--no-warn -t,--test -v,--verbose --robot --single-stream --no-sparse --ignore-check --files?=r --files0?=r	r*				doDecoder
|unzip	-d=_ -x=_ -P=_ -l -v -t -p -Z -a -b -B -C -D -f -j -K -L -M -n -o -q -s -u -U -V -X -z					doUnzip
|unzstd	-D=r -o=w -M,--memory=_ --output-dir-flat=t --output-dir-mirror=t --filelist=r -c,--stdout -f,--force -k,--keep -l,--list -q,--quiet -r -t,--test -v,--verbose --rm --no-check --sparse --no-sparse	r*				doDecoder
|up-cli	>cdktf
|upcli	>ossutil
|upctl	>aliyun
|update-alternatives ldconfig update-ca-certificates						doQuietSystem
|update-ca-certificates	>update-alternatives
|update-grub	>grub-install
|update-initramfs	>grub-install
|update-rc.d	-f,--force					doServiceEnable
|upstash	>aliyun
|upsun	>aliyun
|upterm	-p,--port=_ -i,--interface=_ -c,--credential=_		4096			doShareTerminal
|uptime	-p,--pretty -s,--since -h -V -r,--raw -c,--container	_*					always
|urpmi	>apt-get
|urxvt	>xterm
|useradd adduser addgroup newusers usermod groupmod deluser delgroup pw dscl sysadminctl	-a,--append -G,--groups=_ -g,--gid=_ -u,--uid=_ -d,--home=_ -s,--shell=_ -p,--password=_ -c,--comment,-check=_ -r,--remove,--system -m -M -L,--lock -U,--unlock -S,--status -e=_ -f=_ -l,--no-log-init -E=_ -W=_ -R,--root=D -P,--prefix=w					doUsers
|userdel	-r,--remove -f,--force -R,--root=D -P,--prefix=w					doUsers
|usermod	>useradd
|users	>seq
|usql	>snowsql
|utmctl	--hide -d,--debug --disposable --force --kill --request --cmd=C --env=_ -u -o					doCloud
|uudecode	-o=w -c -i -m -p -r -s	r				doDecoder
|uuencode	-m,--base64 -r -e,--encode-file-name -o=w	r _
|uv	-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev --offline -n,--no-cache --no-config --no-progress --native-tls --config-file=_ --color=_ --allow-insecure-host=_ --managed-python --no-managed-python --no-python-downloads --preview --with=_ --from=_ -p,--python=_ --directory=D --project=_ --default-index=_ --index=_ -m,--module=_		1			doUv		pip list,pip show *,pip freeze,pip check,pip tree,tree,python list,version,cache dir,tool list
|uvx	-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev --offline -n,--no-cache --no-config --no-progress --native-tls --isolated --refresh --reinstall --upgrade --with=_ --from=_ -p,--python=_ --default-index=_ --index=_		1			doNpx
|uxterm	>xterm
|v8	>qjs
|vacuumdb	-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -d,--dbname=_ -t,--table=_ -n,--schema=_ -N,--exclude-schema=_ -j,--jobs=_ -P,--parallel=_ --min-mxid-age=_ --min-xid-age=_ -a,--all -f,--full -F,--freeze -q,--quiet -v,--verbose -z,--analyze -Z,--analyze-only --analyze-in-stages --skip-locked
|vagrant	-c,--command=_ --provider=_ --provision-with=_					doVagrant
|valgrind hotspot	-e=_ -o,--output=w -p=_ -n=_ -s=_ -l,--library=_ -F=_ -x=_ -a=_ -u=_ -c=_ -A=_ -D=_ --event=_ --freq=_ -q,--quiet -v,--verbose --tool=_ --leak-check?=_ --log-file?=w --xml-file?=w --suppressions?=r --trace-children?=_ --track-origins?=_ --show-leak-kinds?=_ --error-exitcode?=_ --num-callers?=_ --gen-suppressions?=_ --vgdb?=_		1			doProfiler
|valkey-cli	>redis-cli
|vapor	>aliyun
|vault openbao bao	-namespace,-ns=_ -address=_ -token=_ -format=_ -field=_ -mount=_ -path=_ -method=_ -ca-cert=_ -versions=_ -header=_ -policy=_ -ttl=_ -output-curl-string,-output-policy+inert		2			doVault
|vaultcmd	>cmdkey
|vboxmanage	>VBoxManage
|vcluster	>aliyun
|vcpkg	>luarocks
|vdir	>ls
|vegeta	-body=r -cert=r -key=r -root-certs=r -targets=r -header=_ -rate=_ -duration=_ -timeout=_ -workers=_ -max-workers=_ -connections=_ -name=_ -format=_ -output=w -every=_ -type=_ -buckets=_ -redirects=_ -lazy -insecure -keepalive -http2 -h2c -cpus=_ -profile=_		2			doLoad
|velero	>aliyun
|veracrypt	>cryptsetup
|vercel	--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json					doCloud		whoami,ls,list,inspect *
|vernemq	>aliyun
|vertica-sql	>snowsql
|vgcfgrestore	--force+force -y,--yes -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_					doVolume
|vgchange	>pvcreate
|vgcreate	>pvcreate
|vgextend	>pvcreate
|vgmerge	>pvcreate
|vgreduce	-f,--force+force -y,--yes -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_					doVolume
|vgremove	>pvcreate
|vgrename	>pvcreate
|vgsplit	>pvcreate
|vi	>vim
|vibe	>claude
|vibe-kanban	>claude
|viddy	-b,--bell -d,--differences -n,--interval=_ -p,--precise -c,--clockwork -t,--no-title -s,--skip-empty-diffs --shell=P --shell-options=_ -x,--exec --pty --unfold --disable_mouse --save=w --load=r		1			doWatch
|view	>vim
|vigr	>vipw
|vim vi view vimdiff rvim gvim	-c,--cmd=_ -u=x -U=x -S=x -s=_ -w=a -W=w -T=_ -i=_ -t=_ -q=r --servername=_ --startuptime=w -b -d -e -E -R -r -m -M -n -N -o?=_ -O?=_ -p?=_ -v -V?=_ -x -y -Y -Z -f -g -l -A -C -D -F -H --clean --noplugin --not-a-term --ttyfail --remote --remote-silent --remote-wait --remote-tab --remote-expr=_ --remote-send=_ --serverlist --literal --log=w		2		vim	doEditor
|vim-cmd	>aliyun
|vimdiff	>vim
|vipw vigr	-g,--group -s,--shadow -p,--passwd					doUsers
|virsh	-c,--connect=_ --domain=_ -d,--debug=_ -e,--escape=_ -k,--keepalive-interval=_ -K,--keepalive-count=_ -l,--log=w -q,--quiet -r,--readonly -t,--timing -v -V					doCloud
|visudo	-s,--strict -c,--check -f=_					doUsers
|vite	>pytest
|vitepress	>docusaurus
|vitest	>pytest
|viztracer	>coverage
|vlt	>credstash
|vmrun	-T=_ -gu=_ -gp=_ -h=_ -u=_ -p=_ -vp=_ -P=_ -noWait -activeWindow -interactive		2			doCloud
|vmstat	-a,--active -f,--forks -m,--slabs -n,--one-header -s,--stats -d,--disk -D,--disk-sum -p,--partition=_ -S,--unit=_ -t,--timestamp -w,--wide -y,--no-first -V	_*					always
|volta
	run	--node=_ --npm=_ --yarn=_ --pnpm=_ --env=E	C	1
|vonage	>twilio
|vsce ovsx
	publish	-p,--pat=_ -i,--packagePath=r --dry-run+inert			8
	unpublish	-p,--pat=_ -f,--force			2
	package ls show search verify-pat
|vscodium	>code
|vsql	>psql
|vssadmin wbadmin						doShadowCopies
|vtune	-collect,-c=_ -report,-R=_ -result-dir,-r=t -duration,-d=_ -target-pid=_ -knob=_ -app-working-dir=D -search-dir=t -source-search-dir=t -format=_ -report-output=w -quiet,-q -help -version -data-limit=_ -finalization-mode=_		3			doProfiler
|vuepress	>docusaurus
|vultr	>aliyun
|vultr-cli	>aliyun
|vzctl	--quiet --verbose --skiplock --ostemplate=_ --config=_ --private=t --root=t --ipadd=_ --ipdel=_ --hostname=_ --nameserver=_ --userpasswd=_ --save --fast					doCloud
|w	-h,--no-header -u,--no-current -s,--short -f,--from -o,--old-style -i,--ip-addr -p,--pids -t,--terminal	_*					always
|w3m	-t=_ -r -l=_ -I=_ -O=_ -B -bookmark=r -T=_ -m -v -M -F -p=_ -s -j -e -x=_ -S -W -X -no-cookie -cookie -graph -no-graph -cols=_ -ppc=_ -ppl=_ -dump -dump_source -dump_head -dump_both -dump_extra -halfdump -o=_ -post=r -header=_ -config=r -debug -num -4 -6 -N -cmp	u*	2
|waf	>ninja
|wait	>seq
|wait-on	>pytest
|wal-g	--config=r --confirm --after=_ --full --detail --json --pretty --permanent --delta-from-user-data=_ --delta-from-name=_ --target-user-data=_ --reverse-unpack --skip-redundant-tars --mask=_ --restore-spec=r --turbo					doBackup
|wall	-n,--nobanner -t,--timeout=_ -g,--group=_ -V					doSay
|warp-agent	>claude
|wasm-pack trunk maturin									build test serve check	--address --proxy-backend --publish
|watch	-n,--interval=_ -b,--beep -c,--color -C,--no-color -e,--errexit -g,--chgexit -p,--precise -t,--no-title -w,--no-wrap -r,--no-rerun -d,--differences?=_ -q,--equexit=_ -x,--exec -s,--shotsdir=_		1			doWatch
|watchexec	-w,--watch=_ -e,--exts=_ -f,--filter=_ -i,--ignore=_ -s,--signal=_ -d,--debounce=_ --shell=_ -n --project-origin=_ --workdir=_ -E,--env=_ --stop-signal=_ --on-busy-update,-o=_ -W,--watch-non-recursive=_ -F,--watch-file=r -c,--clear?=_ -r,--restart --only-emit-events --emit-events-to=_ --stop-timeout=_ --timeout=_ --poll?=_ --stdin-quit -I,--no-vcs-ignore --no-project-ignore --no-global-ignore --no-default-ignore --no-discover-ignore --ignore-nothing -p,--postpone --delay-run=_ --no-meta --no-process-group --wrap-process=_ -N,--notify --color=_ --timings -q,--quiet --bell --filter-file=r --ignore-file=r --fs-events=_ --print-events -v,--verbose --log-file?=w --once -1 -j,--filter-prog=_		1			doWatchexec
|waypoint	>aliyun
|wbadmin	>vssadmin
|wc gwc	-c,--bytes -m,--chars -l,--lines -w,--words -L,--max-line-length --files0-from=r --total=_	i*					always
|wdiff	-w,--start-delete=_ -x,--end-delete=_ -y,--start-insert=_ -z,--end-insert=_ -1,--no-deleted -2,--no-inserted -3,--no-common -a,--auto-pager -d,--diff-input -h -i,--ignore-case -l,--less-mode -n,--avoid-wraps -p,--printer -s,--statistics -t,--terminal	r*
|weaviate	>aliyun
|webpack	>pytest
|websocat	-c,--connect=_ -l,--listen=_ -H,--header=_ -x,--execute=_ --exec=_ -p=_ -n,--no-close -1,--one-message -t,--text -b,--binary -E,--exit-on-eof -k,--insecure -s,--server-mode -u,--unidirectional -U,--unidirectional-reverse -v -q -0,--null-terminated --basic-auth=_ --origin=_ --protocol=_ --header-to-env=_ --ping-interval=_ -B,--buffer-size=_					doWebsocat
|werf	>aliyun
|west									build list topdir status diff boards update	--cmd-file
|wetty	>tmate
|wevtutil						doWevtutil
|wezterm			256			doWezterm
|wfuzz	-c -v -f=w -o=_ --interact -p=_ -t=_ -s=_ -R=_ -D=_ -L,--follow -Z -X=_ -u=u -z=_ -w=r -m=_ -V=_ -b=_ -d=_ -H=_ --basic=_ --ntlm=_ --digest=_ --hc=_ --hl=_ --hw=_ --hh=_ --sc=_ --sl=_ --sw=_ --sh=_ --ss=_ --hs=_ --filter=_ --prefilter=_ --script=_ --script-args=_ --recipe=r --dump-recipe=w --dry-run+inert --prev --conn-delay=_ --req-delay=_ -e=_ -A -I --zP=_ --zD=_ --zE=_ --slice=_ --ip=_ --field=_ --efield=_		2			doIntrusion
|wg	>ifconfig
|wg-quick	>ifconfig
|wget wget2	-e,--execute=_ -o,--output-file=w -a,--append-output=a --report-speed=_ -i,--input-file=_ -B,--base=_ --config=_ --rejected-log=w -t,--tries=_ --retry-on-http-error=_ -O,--output-document=_ --start-pos=_ --progress=_ -T,--timeout=_ --dns-timeout=_ --connect-timeout=_ --read-timeout=_ -w,--wait=_ --waitretry=_ -Q,--quota=_ --bind-address=_ --limit-rate=_ --restrict-file-names=_ --prefer-family=_ --user=_ --password=_ --use-askpass=P --local-encoding=_ --remote-encoding=_ -P,--directory-prefix=_ --cut-dirs=_ --http-user=_ --http-password=_ --default-page=_ --header=_ --compression=_ --max-redirect=_ --proxy-user=_ --proxy-password=_ --referer=_ -U,--user-agent=_ --load-cookies=_ --save-cookies=w --post-data=_ --post-file=_ --method=_ --body-data=_ --body-file=_ --secure-protocol=_ --certificate=_ --certificate-type=_ --private-key=_ --private-key-type=_ --ca-certificate=_ --ca-directory=_ --crl-file=_ --pinnedpubkey=_ --ciphers=_ --random-file=_ --ftp-user=_ --ftp-password=_ --warc-file=w --warc-header=_ --warc-max-size=_ --warc-dedup=_ --warc-tempdir=_ -l,--level=_ --backups?=_ -A,--accept=_ -R,--reject=_ --accept-regex=_ --reject-regex=_ --regex-type=_ -D,--domains=_ --exclude-domains=_ --follow-tags=_ --ignore-tags=_ -I,--include-directories=_ -X,--exclude-directories=_ --hsts-file=_ -V,--version+inert -h,--help+inert --spider					doWget
|wget2	>wget
|wgetpaste	>pastebinit
|whatweb	-i,--input-file=r --url-prefix=_ --url-suffix=_ --url-pattern=_ -a,--aggression=_ -U,--user-agent=_ -H,--header=_ --follow-redirect=_ --max-redirects=_ -u,--user=_ -c,--cookie=_ --cookie-jar=r --no-cookies --proxy=_ --proxy-user=_ -l,--list-plugins -I,--info-plugins?=_ -p,--plugins=_ -g,--grep=_ --custom-plugin=e --dorks=_ -v,--verbose --colour,--color=_ -q,--quiet --no-errors --log-brief=w --log-verbose=w --log-errors=w --log-xml=w --log-json=w --log-sql=w -t,--max-threads=_ --open-timeout=_ --read-timeout=_ --wait=_		2		ruby	doIntrusion
|whence	-a -c -f -m -p -s -S -v -w -x=_					doWhich
|where	-s -m -p -w					doWhich	words
|whereis	-b -m -s -u -l -g -B=_ -M=_ -S=_ -f					doWhich	always
|which	-a,--all -i,--read-alias --skip-alias --read-functions --skip-functions --skip-dot --skip-tilde --show-dot --show-tilde --tty-only -s					doWhich	always
|who	-a,--all -b,--boot -d,--dead -H,--heading -l,--login --lookup -m -p,--process -q,--count -r,--runlevel -s,--short -t,--time -T,-w,--mesg -u,--users --message --writable	r*					always
|whoami logname						doWho	always
|whois	-h=h -p=_ -H -I -a -b -B -c -d -g=_ -G -i=_ -K -l -L -m -M -q=_ -r -R -s=_ -t=_ -T=_ -v=_ -x --verbose --no-recursion	_*				doLookup
|windsurf	>claude
|winexe	>evil-winrm
|wing	>cdktf
|winget	>apt-get
|winglang	>cdktf
|winpty	-Xallow-non-tty -Xplain -Xshow-console --showkey --mouse --debug=_	C	1
|wipe	-r+recursive -f+force -c -i -s -e -k -F -Z -z -q -Q=_ -S=_ -C=_ -R=_ -M=_ -o=_ -l=_ -x?=_ -b=_ -p=_ -T=_					doShred
|wipefs	-a,--all -o,--offset=_ -t,--types=_ -n,--no-act+inert -b,--backup -f,--force+force					doWipefs
|wireshark	-i=_ -f=_ -s=_ -p -I -B=_ -y=_ -D -L -c=_ -a=_ -b=_ -r=r -R=_ -Y=_ -n -N=_ -C=_ -d=_ -g=_ -J=_ -j -k -S -l -t=_ -u=_ -X=_ -z=_ -w=w -o=_ -P=_ -K=r -H --fullscreen --capture-comment=_ --display=_ -v	r*				doCapture
|wiretap	>localtunnel
|wish	>tclsh
|with-contenv	>eatmydata
|wl-paste	>pbpaste
|wmic			768			doWmic
|wmiexec.py	>evil-winrm
|woodpecker-cli	>aliyun
|workos	>aliyun
|wormhole	>transfer.sh-cli
|wp	>alembic
|wpscan	--url=u -v,--verbose --banner --no-banner -o,--output=w -f,--format=_ --detection-mode=_ --user-agent,--ua=_ --random-user-agent,--rua --http-auth=_ -t,--max-threads=_ --throttle=_ --request-timeout=_ --connect-timeout=_ --disable-tls-checks --proxy=_ --proxy-auth=_ --cookie-string=_ --cookie-jar=w --force --update --no-update --api-token=_ --wp-content-dir=_ --wp-plugins-dir=_ -e,--enumerate?=_ --plugins-list=_ --plugins-detection=_ -P,--passwords=r -U,--usernames=_ --stealthy --password-attack=_ --multicall-max-passwords=_		2			doIntrusion
|wrangler	>aliyun
|write	-V	_*				doSay
|wrk	-c,--connections=_ -d,--duration=_ -t,--threads=_ -s,--script=x -H,--header=_ --timeout=_ --latency -v,--version+inert				lua	doLoad
|wscat	-c,--connect=_ -l,--listen=_ -H,--header=_ -x,--execute=_ -p,--protocol=_ -o,--origin=_ -s,--subprotocol=_ -w,--wait=_ --host=_ --auth=_ --ca=r --cert=r --key=r --passphrase=_ --proxy=_ -n,--no-check -P,--show-ping-pong -L,--location --no-color --slash					doWebsocat
|wscript cscript			544			doWscript
|wsl	-d,--distribution=_ -u,--user=_ --cd=_ -e,--exec --shell-type=_ --unregister=_ -l,--list --status --shutdown --system -v,--verbose --all --running -q,--quiet -t,--terminate=_ -s,--set-default=_ --set-version=_ --export=_ --import=_ --install --update --mount=_ --unmount=_ --no-distribution --online		1			doWsl
|wtype	>xdotool
|x-terminal-emulator	>xterm
|x86_64	>linux32
|xargs gxargs	-I=_ -i,--replace?=_ -J=_ -n,--max-args=_ -P,--max-procs=_ -L=_ -l,--max-lines?=_ -d,--delimiter=_ -a,--arg-file=r -E=_ -e,--eof?=_ -s,--max-chars=_ --process-slot-var=_ -R=_ -S=_ -0,--null -r,--no-run-if-empty -t,--verbose -p,--interactive		1			doXargs	options
|xattr	-d -c					doXattr
|xbps-install	>apt-get
|xbps-remove	>apt-get
|xcacls	>icacls
|xclip	>pbpaste
|xcrun	--sdk=_ --toolchain=_ -f,--find,-r,--run,-n,--no-cache,-k,--kill-cache,-v,--verbose,-l,--log,--show-sdk-path,--show-sdk-version,--show-sdk-platform-path,--version		1			doXcrun
|xdg-user-dir						doXdgUserDir
|xdotool ydotool wtype dotool xvkbd			256			doTyped
|xfce4-terminal	>xterm
|xfreerdp	>evil-winrm
|xfs_growfs	-D=_ -L=_ -R=_ -m=_ -e=_ -t=r -n+inert					doMount
|xfs_repair	-l=_ -m=_ -o=_ -r=_ -t=_ -c=_ -n					doMount
|xfsdump	>dump
|xfsrestore	>dump
|xh xhs ht	-o,--output=_ -d,--download -b,--body -h,--headers -p,--print=_ -P,--history-print=_ -s,--style=_ --pretty=_ --format-options=_ -a,--auth=_ -A,--auth-type=_ --bearer=_ --session=_ --session-read-only=_ --proxy=_ --max-redirects=_ --timeout=_ --verify=_ --ssl=_ --cert=_ --cert-key=_ --raw=_ --default-scheme=_ --response-charset=_ --response-mime=_ --http-version=_ --resolve=_ --interface=_ --unix-socket=_ --generate=_ --offline+inert --curl+inert --curl-long+inert -j,--json -f,--form --multipart -m,--meta -v,--verbose --debug --all -q,--quiet -S,--stream -x,--compress -c,--continue -I,--ignore-stdin -F,--follow --check-status --no-check-status --https -4,--ipv4 -6,--ipv6 -n					doHttpie
|xhs	>xh
|xkill	-display=_ -id=_ -button=_ -frame -all -version		2			doPkill
|xo	>air
|xonsh	>nu
|xq tomlq	-i,--in-place --arg=_ --argjson=_ --slurpfile=_ --rawfile=_ -f,--from-file=r -L=_ --indent=_ -x,--xml-output -t,--toml-output -y,--yaml-output -Y,--yaml-roundtrip -w,--width=_ -i,--in-place --xml-dtd --xml-root=_ --xml-item-depth=_ --xml-force-list=_ -r,--raw-output -s,--slurp -n,--null-input -c,--compact-output -C,--color-output -M,--monochrome-output -S,--sort-keys -e,--exit-status -j,--join-output	_ r*				doEdited
|xsel	>pbpaste
|xsser	-u,--url=u -i=r -d=_ -l -p=_ -g=_ -c=_ --all=u --auto --cookie=_ --user-agent=_ --referer=_ --headers=_ --auth-type=_ --auth-cred=_ --proxy=_ --timeout=_ --retries=_ --threads=_ --delay=_ --payload=_ --save --xml=w -s -v -w		2			doIntrusion
|xterm rxvt urxvt st foot alacritty konsole gnome-terminal xfce4-terminal mate-terminal lxterminal qterminal terminator tilix ptyxis kgx ghostty x-terminal-emulator uxterm cool-retro-term termite deepin-terminal	-T,--title=_ -title=_ -geometry=_ --geometry=_ -fn=_ -fa=_ -fs=_ -bg=_ -fg=_ -name=_ -class=_ --class=_ --profile=_ --window-with-profile=_ --working-directory=_ --workdir=_ -d=_ -o,--option=_ --config-file=_ -t=_ -p=_		256			doTerminalWindow
|xtrabackup	--backup --prepare --copy-back --move-back --target-dir=t --datadir,-h=t --user,-u=_ --password,-p=_ --host,-H=_ --port,-P=_ --socket,-S=_ --incremental-basedir=r --incremental-dir=r --apply-log-only --stream=_ --compress --decompress --parallel=_ --defaults-file=r --defaults-extra-file=r --databases=_ --tables=_ --tables-file=r --encrypt=_ --encrypt-key=_ --encrypt-key-file=r --throttle=_ --slave-info --export --extra-lsndir=t --tmpdir=t --remove-original --force-non-empty-directories --use-memory=_ --strict --login-path=_ --no-defaults --print-defaults					doBackup
|xvfb-run	-a,--auto-servernum -l,--listen-tcp -e,--error-file=w -f,--auth-file=_ -n,--server-num=_ -p,--xauth-protocol=_ -s,--server-args=_ -w,--wait=_	C	1
|xvkbd	>xdotool
|xxd	-r,-revert -p,-ps,-plain,-postscript -c,-cols=_ -g,-groupsize=_ -l,-len=_ -n,-name=_ -s,-seek=_ -o=_ -R=_ -a,-autoskip -b,-bits -C,-capitalize -d -e -E,-EBCDIC -i,-include -u -v+inert -h+inert	r w	2			doXxd	always
|xxh128sum	>xxhash
|xxh32sum	>xxhash
|xxh64sum	>xxhash
|xxhash xxhsum xxh32sum xxh64sum xxh128sum	-H -b -B=_ -c,--check -i?=_ -q,--quiet --status --strict --tag --little-endian -w,--warn --binary --files-from=r --filelist=r	i*
|xxhsum	>xxhash
|xz lzma	-d,--decompress,--uncompress -F,--format=_ -C,--check=_ -M,--memlimit,--memory=_ --memlimit-compress=_ --memlimit-decompress=_ -S,--suffix=_ -T,--threads=_ --block-size=_ --block-list=_ --flush-timeout=_ --filters=_ --files?=r --files0?=r -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list -z,--compress -f,--force -e,--extreme -q,--quiet -Q,--no-warn -v,--verbose --no-sparse --ignore-check --single-stream --robot -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best					doCompress
|xzcat	-F,--format=_ -M,--memlimit=_ -S,--suffix=_ -T,--threads=_ -f,--force -q,--quiet -v,--verbose	r*				doCat	always
|xzgrep	>zgrep
|yapf	>air
|yard	>brakeman
|yarn	>npm
|yarn-dlx	>npx
|yash	>sh
|yay	>pacman
|yc	>aliyun
|ydb	>snowsql
|ydotool	>xdotool
|yes	>seq
|you-get	-i,--info -u,--url --json -n,--no-merge --no-caption --postfix --prefix=_ -f,--force --skip-existing-file-size-check -F,--format=_ -O,--output-filename=_ -o,--output-dir=t -p,--player=P -c,--cookies=r -t,--timeout=_ -d,--debug -I,--input-file=r -P,--password=_ -l,--playlist --first=_ --last=_ -a,--auto-rename -k,--insecure -m,--m3u8 -x,--http-proxy=_ -y,--extractor-proxy=_ --no-proxy -s,--socks-proxy=_	u*
|youtube-dl yt-dlp	-o,--output=_ -f,--format=_ --exec=P --exec-before-download=P --downloader,--external-downloader=_ -P,--paths=_ -a,--batch-file=r --config-locations,--config-location=_ --cookies=_ --cookies-from-browser=_ -u,--username=_ -p,--password=_ -2,--twofactor=_ --video-password=_ --postprocessor-args,--ppa=_ --proxy=_ -r,--limit-rate=_ -S,--format-sort=_ -I=_ -N,--concurrent-fragments=_ -t,--preset-alias=_ --playlist-items=_ --match-filter=_ --download-archive=w --date=_ --datebefore=_ --dateafter=_ --max-filesize=_ --min-filesize=_ --user-agent=_ --referer=_ --add-header=_ --sub-langs,--sub-lang=_ --sub-format=_ --audio-format=_ --audio-quality=_ --recode-video=_ --ffmpeg-location=P --merge-output-format=_ --netrc-cmd=c --load-info-json,--load-info=r -R,--retries=_ --socket-timeout=_ --source-address=_ --cache-dir=_ -i,--ignore-errors -x,--extract-audio -q,--quiet -s,--simulate -F,--list-formats -j,--dump-json -J,--dump-single-json -g,--get-url -e,--get-title -v,--verbose -w,--no-overwrites -c,--continue -k,--keep-video -n,--netrc -4,--force-ipv4 -6,--force-ipv6 --no-playlist --yes-playlist --skip-download --write-subs --write-sub --write-auto-subs --write-info-json --write-description --write-thumbnail --embed-subs --embed-thumbnail --embed-metadata --restrict-filenames --no-part --newline --no-warnings	u*
|yoyo	>alembic
|yq	--arg=_ --argjson=_ --slurpfile=_ --rawfile=_ -f,--from-file=r -L=_ --indent,-I=_ -o,--output-format=_ -i,--inplace,--in-place -p,--input-format=_ -s,--split-exp=_ --split-exp-file=r --front-matter,-f=_ --xml-attribute-prefix=_ --xml-content-name=_ --expression=_ --header-preprocess -r,--raw-output,--unwrapScalar -n,--null-input -P,--prettyPrint -C,--colors -M,--no-colors -e,--exit-status -v,--verbose -N,--no-doc -y,--yaml-output -Y,--yaml-roundtrip -j,--tojson -0,--nul-output --string-interpolation -w,--width=_	_ r*				doEdited
	eval e eval-all ea	--indent,-I=_ -o,--output-format=_ -i,--inplace,--in-place -p,--input-format=_ -s,--split-exp=_ --split-exp-file=r --front-matter,-f=_ --from-file=r --expression=_ -n,--null-input -P,--prettyPrint -C,--colors -M,--no-colors -e,--exit-status -v,--verbose -N,--no-doc -j,--tojson -r,--unwrapScalar	_ r*				doEdited
|ysqlsh	>snowsql
|yt-dlp	>youtube-dl
|ytt-kapp	>aliyun
|yum	>dnf
|yum-config-manager	>apt-key
|zappa	>cdktf
|zaproxy	-daemon -port=_ -host=_ -config=_ -configfile=r -dir=t -installdir=t -cmd -quickurl=u -quickout=w -quickprogress -addoninstall=_ -addonuninstall=_ -addonupdate -newsession=w -session=o -silent -version -autorun=r -script=r -notel -lowmem -experimentaldb -nostdout		2			doIntrusion
|zbackup	--non-encrypted --password-file=r --silent --threads=_ --cache-size=_ --exchange=_ --compression=_ -o=_ -O=_					doBackup
|zcat gzcat	-S,--suffix=_ -f,--force -q,--quiet -v,--verbose	r*				doCat	always
|zeet	>aliyun
|zegrep	>zgrep
|zellij	--max-panes=_ --data-dir=t --server=_ -s,--session=_ -l,--layout=r -c,--config=r --config-dir=D -d,--debug
	run	-n,--name=_ -d,--direction=_ --cwd=_	C	1
	action			256			doZellijAction
|zfgrep	>zgrep
|zfs	>zpool
|zfs_format	>mkfs
|zgrep bzgrep xzgrep zstdgrep zegrep zfgrep	-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l --files-without-match,-L --count,-c --quiet,-q,--silent --binary-files=_ --label=_ --color,--colour?=_ -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -i,--ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -n,--line-number -H,--with-filename -h,--no-filename -o,--only-matching -s,--no-messages -a,--text -b,--byte-offset -I -z,--null-data -U,--binary					doGrep
|zip	-b=_ -x=_ -i=_ -n=_ -P=_ -t=_ -tt=_ -O=w -TT,--unzip-command=P -m,--move -d,--delete -r,--recurse-paths -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -A -B -c -D -e,--encrypt -f,--freshen -F,--fix -FF -g,--grow -j,--junk-paths -J -k -l -L+inert -o -q,--quiet -R -S -T,--test -u,--update -v,--verbose -V -X -y,--symlinks -z -@ -sf	w r*				doZip
|zitadel	>aliyun
|zkCli	>zkCli.sh
|zkCli.sh zkCli zkcli	-server=_		2			doStoreVerb
|zkcli	>zkCli.sh
|zmap	-p,--target-port,--target-ports=_ -o,--output-file=w -b,--blocklist-file,--blacklist-file=r -w,--allowlist-file,--whitelist-file=r -I,--list-of-ips-file=r -r,--rate=_ -B,--bandwidth=_ -n,--max-targets=_ -t,--max-runtime=_ -N,--max-results=_ -P,--probes=_ -c,--cooldown-time=_ -e,--seed=_ --retries=_ -d,--dryrun+inert --shards=_ --shard=_ -s,--source-port=_ -S,--source-ip=_ -G,--gateway-mac=_ --source-mac=_ -i,--interface=_ -X,--iplayer -M,--probe-module=_ --probe-args=_ --list-probe-modules -f,--output-fields=_ -O,--output-module=_ --output-args=_ --output-filter=_ --list-output-modules --list-output-fields -v,--verbosity=_ -l,--log-file=w -L,--log-directory=t -m,--metadata-file=w -u,--status-updates-file=w -q,--quiet --disable-syslog --notes=_ --user-metadata=_ -C,--config=r -T,--sender-threads=_ --cores=_ --ignore-blocklist-errors -V		2			doScan
|zpool zfs	-n,--dryrun+inert					doPool
|zrok	>localxpose
|zsh	>sh
|zstd	-d,--decompress,--uncompress -D=r -o=w -T,--threads?=_ -M,--memory?=_ -B?=_ --output-dir-flat=t --output-dir-mirror=t --filelist=r --patch-from=r --train --maxdict=_ --format=_ --size-hint=_ --target-compressed-block-size=_ --long?=_ --fast?=_ --adapt?=_ --trace=w -c,--stdout -k,--keep -t,--test -l,--list -z,--compress -f,--force -r -q,--quiet -v,--verbose --rm --ultra --rsyncable --check --no-check --exclude-compressed --no-progress --sparse --no-sparse -1 -2 -3 -4 -5 -6 -7 -8 -9					doCompress
|zstdcat	-D=r -f,--force -q,--quiet -v,--verbose	r*				doCat
|zstdgrep	>zgrep
|zypper	-t,--terse -c=_ -s,--table-style=_ --simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --installroot=_ --command,-c=c --run=c -p=_ --releasever=_ -x,--xmlout --color --root=_ --logfile=w --config=_ --plus-repo=_ --userdata=_		2048			doSystemPackages		search *,info *		-c --config -o --option --installroot --setopt --root -R
`
