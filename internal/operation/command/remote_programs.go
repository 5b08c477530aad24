// Code generated from programs/remote.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var remoteModels = []Model{
	{Names: "nc netcat nc.traditional nc.openbsd ncat pnetcat cryptcat sbd", Opts: "-e,--exec=_ -c,--sh-exec=_ --lua-exec=_ -p,--source-port=_ -s,--source=_ -w,--wait=_ -i,--idle-timeout=_ -q=_ -x,--proxy,-X=_ --proxy-type=_ --proxy-auth=_ -o,--output=w -O=_ -T=_ -I=_ -V=_ -m,--max-conns=_ -d,--delay=_ -g=_ -G=_ -P=_ -M=_ --ssl-cert=_ --ssl-key=_ --allow=_ --deny=_ -h,--help+inert --version+inert", Do: doNetcat},
	{Names: "socat socat2 socat1", Opts: "-b=_ -t=_ -T=_ -l=_ -L=_ -W=_ -r=w -R=w -lf=_ -lp=_ -x -v -d -D -u -U -s -g -4 -6 -ly -lm -ls -lu -lh -V+inert -h+inert", Style: Strict | LongDash, Do: doSocat},
	{Names: "telnet", Opts: "-l=_ -n=w -e=_ -b=_ -X=_", Do: doTelnet},
	{Names: "rlogin rsh remsh rexec", Opts: "-l=_ -p=_", Style: Strict, Do: doRsh},
	{Names: "pdsh clush pssh parallel-ssh dsh mussh", Opts: "-w,--worker,-h,--hosts=_ -H,--host=_ -l,--user=_ -g=_ -t=_ -x=_ -b -f=_ -p=_ -o=_ -e=_ -R=_ -A -i -a", Style: Strict, Do: doPdsh},
	{Names: "ftp tnftp lukemftp", Opts: "-o=_ -P=_ -N=_ -u=_ -s=_ -r=_", Do: doFtp},
	{Names: "lftp", Opts: "-e=_ -c=_ -f=_ -u=_ -p=_", Do: doLftp},
	{Names: "ncftpput ncftpget", Opts: "-u=_ -p=_ -P=_ -f=_", Do: doNcftp},
	{Names: "tftp atftp", Opts: "-c=_ -m=_ -l=_ -r=_ -p,--put -g,--get --local-file=_ --remote-file=_", Do: doTftp},
	{Names: "smbclient rpcclient smbget smbmap", Opts: "-c,--command=_ -U,--user=_ -W=_ -p=_ -I=_ -A=_ -L=h -D=_ -t=_ -m=_ -n=_ -T=_ -H=_ -u=_ -d=_", Do: doSmb},
	{Names: "evil-winrm psexec.py wmiexec.py smbexec.py atexec.py impacket-psexec impacket-wmiexec crackmapexec nxc netexec xfreerdp rdesktop winexe", Args: "h", Do: doIntrusion},
}
