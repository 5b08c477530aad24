package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// remoteModels are the programs that reach other machines: shells, copies, raw sockets,
// name look-ups, tunnels and mail.
var remoteModels = []Model{
	{Names: "ssh slogin autossh dbclient mosh et sshpass-ssh tsh", Opts: sshOpts + " --ssh=P --server=_ -M=_", Style: Strict, Do: doSSH},
	{Names: "sshpass", Opts: "-p=_ -f=_ -d=_ -P=_", Args: "C", Style: Strict},
	{Names: "scp pscp", Opts: "-c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -S=P -X=_ -h+inert -V+inert", Do: doScp},
	{Names: "rsync grsync", Opts: "-e,--rsh=_ --rsync-path=_ -B,--block-size=_ -f,--filter=_ -T,--temp-dir=_ -M,--remote-option=_ --backup-dir=_ --suffix=_ --bwlimit=_ --chmod=_ --chown=_ --compare-dest=_ --copy-dest=_ --link-dest=_ --compress-level=_ --contimeout=_ --timeout=_ --exclude=_ --exclude-from=_ --include=_ --include-from=_ --files-from=_ --iconv=_ --info=_ --debug=_ --log-file=w --log-file-format=_ --max-delete=_ --max-size=_ --min-size=_ --modify-window=_ --out-format=_ --partial-dir=_ --password-file=_ --port=_ --protocol=_ --skip-compress=_ --sockopts=_ --usermap=_ --groupmap=_ --write-batch=w --only-write-batch=w --read-batch=_ --address=_ --checksum-choice=_ --compress-choice=_ --stop-after=_ -n,--dry-run+inert -h+inert --list-only", Do: doRsync},
	{Names: "sftp psftp", Opts: "-B=_ -b=_ -c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -R=_ -S=P -s=_ -X=_", Do: doSftp},
	{Names: "ssh-copy-id", Opts: "-i=_ -p=_ -o=_ -F=_ -n+inert", Do: doSSHCopyID},
	{Names: "ssh-keyscan", Opts: "-f=r -p=_ -t=_ -T=_", Args: "h*"},
	{Names: "sshd", Opts: "-p=_ -f=_ -o=_ -h=_ -E=w -C=_ -c=_ -g=_ -u=_ -t+inert -T+inert -G+inert -V+inert", Do: doSshd},
	{Names: "nc netcat ncat nc.traditional nc.openbsd pnetcat cryptcat sbd", Opts: "-e,--exec=_ -c,--sh-exec=_ --lua-exec=_ -p,--source-port=_ -s,--source=_ -w,--wait=_ -i,--idle-timeout=_ -q=_ -x,--proxy,-X=_ --proxy-type=_ --proxy-auth=_ -o,--output=w -O=_ -T=_ -I=_ -V=_ -m,--max-conns=_ -d,--delay=_ -g=_ -G=_ -P=_ -M=_ --ssl-cert=_ --ssl-key=_ --allow=_ --deny=_ -h,--help+inert --version+inert", Do: doNetcat},
	{Names: "socat socat1 socat2", Opts: "-b=_ -t=_ -T=_ -l=_ -L=_ -W=_ -r=w -R=w -lf=_ -lp=_ -x -v -d -D -u -U -s -g -4 -6 -ly -lm -ls -lu -lh -V+inert -h+inert", Style: LongDash | Strict, Do: doSocat},
	{Names: "telnet", Opts: "-l=_ -n=w -e=_ -b=_ -X=_", Do: doTelnet},
	{Names: "rlogin rsh remsh rexec", Opts: "-l=_ -p=_", Style: Strict, Do: doRsh},
	{Names: "pdsh clush pssh parallel-ssh dsh mussh", Opts: "-w,--worker,-h,--hosts=_ -H,--host=_ -l,--user=_ -g=_ -t=_ -x=_ -b -f=_ -p=_ -o=_ -e=_ -R=_ -A -i -a", Style: Strict, Do: doPdsh},
	{Names: "ftp tnftp lukemftp", Opts: "-o=_ -P=_ -N=_ -u=_ -s=_ -r=_", Do: doFtp},
	{Names: "lftp", Opts: "-e=_ -c=_ -f=_ -u=_ -p=_", Do: doLftp},
	{Names: "ncftpput ncftpget", Opts: "-u=_ -p=_ -P=_ -f=_", Do: doNcftp},
	{Names: "tftp atftp", Opts: "-c=_ -m=_ -l=_ -r=_ -p,--put -g,--get --local-file=_ --remote-file=_", Do: doTftp},
	{Names: "smbclient rpcclient smbget smbmap", Opts: "-c,--command=_ -U,--user=_ -W=_ -p=_ -I=_ -A=_ -L=h -D=_ -t=_ -m=_ -n=_ -T=_ -H=_ -u=_ -d=_", Do: doSmb},
	{Names: "evil-winrm psexec.py wmiexec.py smbexec.py atexec.py impacket-psexec impacket-wmiexec crackmapexec nxc netexec xfreerdp rdesktop winexe", Args: "h", Do: doIntrusion},

	{Names: "dig drill kdig delv doggo dog", Do: doLookup},
	{Names: "nslookup host adnshost dnsx dnslookup", Do: doLookup},
	{Names: "ping ping6 fping hping3 nping arping", Opts: "-c=_ -i=_ -I=_ -W=_ -w=_ -s=_ -t=_ -p=_ -M=_ -m=_ -Q=_ -S=_ -T=_ -l=_ -C=_ --data=_ --data-string=_ -d=_ -E,--file=r", Do: doPing},
	{Names: "traceroute tracepath traceroute6 mtr tcptraceroute", Opts: "-f=_ -i=_ -m=_ -p=_ -q=_ -s=_ -w=_ -c=_", Args: "h"},
	{Names: "whois finger", Opts: "-h=h -p=_", Args: "_*", Do: doLookup},

	{Names: "nmap", Opts: "-p=_ -iL=r -oN=w -oX=w -oG=w -oA=w -oS=w --script=_ --script-args=_ --exclude=_ --excludefile=r -D=_ -S=_ -e=_ -g=_ --source-port=_ --data=_ --data-string=_ --max-rate=_ --min-rate=_ -T=_ --top-ports=_ --datadir=_ -iR=_ --dns-servers=_ --proxies=_ --host-timeout=_ --max-retries=_", Style: LongDash, Do: doScan},
	{Names: "masscan zmap rustscan unicornscan naabu", Opts: "-p,--ports,--port=_ -iL=r -oJ=w -oX=w -oL=w --rate,--max-rate=_ -o=w -B=_ -i=_ -a,--addresses=h -b=_", Style: LongDash, Do: doScan},
	{Names: "nikto sqlmap gobuster ffuf dirb dirbuster wfuzz hydra medusa ncrack patator nuclei wpscan msfconsole msfvenom responder bettercap ettercap arpspoof feroxbuster whatweb amass subfinder dnsrecon fierce enum4linux commix xsser beef zaproxy aircrack-ng airodump-ng aireplay-ng john hashcat setoolkit", Do: doIntrusion},
	{Names: "tcpdump tshark dumpcap wireshark", Opts: "-z,--postrotate-command=_ -w=w -W=_ -G=_ -C=_ -c=_ -i,--interface=_ -r=r -F=_ -s,--snapshot-length=_ -B=_ -E=_ -j=_ -m=_ -M=_ -T=_ -y=_ -Z=_ -V=_ -Y=_ -f=_ -e=_ -X=_ -o=_ -a=_ -b=_", Do: doCapture},
	{Names: "ngrep tcpflow", Opts: "-d=_ -I=r -O=w -r=r -w=w -o=w"},

	{Names: "ngrok", Opts: "--config=_ --region=_ --domain,--hostname=_ --subdomain=_ --log=_ --authtoken=_ --url=_", Do: doTunnel},
	{Names: "cloudflared", Opts: "--config=_ --url=_ --name=_ --hostname=_ --token=_ --unix-socket=_ --logfile=w --credentials-file=_", Do: doTunnel},
	{Names: "localtunnel lt localxpose loclx bore frpc frps chisel gost pagekite zrok tailscale tailscaled inlets expose telebit serveo portmap boringproxy rathole nps npc ligolo-ng ligolo iodine dnscat dnscat2 ptunnel stunnel sish holesail hypertele gsocket gs-netcat pinggy localhost.run devtunnel wiretap", Opts: "-p,--port=_ -s,--subdomain=_ -h,--host=_ -l,--local-host=_ -c,--config=_", Do: doTunnel},
	{Names: "tmate upterm teleconsole sshx ttyd gotty wetty shellinabox sshuttle-server", Opts: "-p,--port=_ -i,--interface=_ -c,--credential=_", Do: doShareTerminal},
	{Names: "sshuttle", Opts: "-r,--remote=h -e,--ssh-cmd=P -x,--exclude=_"},

	{Names: "mail mailx Mail s-nail heirloom-mailx bsd-mailx", Opts: "-s=_ -a,--attach=_ -A=_ -b=_ -c=_ -r=_ -S=_ -u=_ -f=_ -q=_ -E=_", Do: doMail},
	{Names: "mutt neomutt", Opts: "-a=_ -s=_ -b=_ -c=_ -e=_ -F=_ -H=_ -i=_ -f=_", Do: doMutt},
	{Names: "sendmail ssmtp msmtp exim exim4 postfix-sendmail esmtp nullmailer-inject", Opts: "-f=_ -F=_ -o=_ -a,--account=_ -C=_ --host=h --from=_ -X=w", Do: doMail},
	{Names: "swaks sendemail sendEmail mailsend smtp-cli git-send-email mpack himalaya-send", Opts: "--to,-t=_ --from,-f=_ --server,-s=_ --body=_ --attach,-a=_ --header=_ --data=_ -u=_ -m=_ -xu=_ -xp=_ -o=_ --h-Subject=_", Style: LongDash, Do: doMailTool},
	{Names: "slackcat slack-cli telegram-send discordo matrix-commander signal-cli ntfy pushover noti-send tweet toot t bsky himalaya apprise wall write", Opts: "-c,--channel=_ -t,--title=_ -f,--file=_ -F=_ -u=_ -a=_ -m=_", Do: doSay},
}

func doRsh(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	c.Net(c.Operands[0], 0, c.Stdin.Taint)
	if len(c.Operands) > 1 {
		c.Shell(joined(c.Operands[1:]), Run{Traits: umpire.Remote})
	}
	c.Out.Taint |= FromNetwork
}

// doPdsh runs one command on many machines.
func doPdsh(c *Call) {
	c.Net(Lit(umpire.Hole), umpire.Bulk, c.Stdin.Taint)
	c.Shell(joined(c.Operands), Run{Traits: umpire.Remote | umpire.Bulk})
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
