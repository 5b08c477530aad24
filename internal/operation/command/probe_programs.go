// Code generated from programs/probe.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var probeModels = []Model{
	{Names: "dig drill kdig delv doggo dog nslookup host adnshost dnsx dnslookup", Do: doLookup},
	{Names: "ping ping6 fping hping3 nping arping", Opts: "-c=_ -i=_ -I=_ -W=_ -w=_ -s=_ -t=_ -p=_ -M=_ -m=_ -Q=_ -S=_ -T=_ -l=_ -C=_ --data=_ --data-string=_ -d=_ -E,--file=r", Do: doPing},
	{Names: "traceroute tracepath traceroute6 mtr tcptraceroute", Opts: "-f=_ -i=_ -m=_ -p=_ -q=_ -s=_ -w=_ -c=_", Args: "h"},
	{Names: "whois finger", Opts: "-h=h -p=_", Args: "_*", Do: doLookup},
	{Names: "nmap", Opts: "-p=_ -iL=r -oN=w -oX=w -oG=w -oA=w -oS=w --script=_ --script-args=_ --exclude=_ --excludefile=r -D=_ -S=_ -e=_ -g=_ --source-port=_ --data=_ --data-string=_ --max-rate=_ --min-rate=_ -T=_ --top-ports=_ --datadir=_ -iR=_ --dns-servers=_ --proxies=_ --host-timeout=_ --max-retries=_", Style: LongDash, Do: doScan},
	{Names: "masscan zmap rustscan unicornscan naabu", Opts: "-p,--ports,--port=_ -iL=r -oJ=w -oX=w -oL=w --rate,--max-rate=_ -o=w -B=_ -i=_ -a,--addresses=h -b=_", Style: LongDash, Do: doScan},
	{Names: "nikto sqlmap gobuster ffuf dirb dirbuster wfuzz hydra ncrack patator nuclei wpscan msfconsole msfvenom responder bettercap ettercap arpspoof feroxbuster whatweb amass subfinder dnsrecon fierce enum4linux commix xsser beef zaproxy aircrack-ng airodump-ng aireplay-ng john hashcat setoolkit", Do: doIntrusion},
	{Names: "tcpdump tshark dumpcap wireshark", Opts: "-z,--postrotate-command=_ -w=w -W=_ -G=_ -C=_ -c=_ -i,--interface=_ -r=r -F=_ -s,--snapshot-length=_ -B=_ -E=_ -j=_ -m=_ -M=_ -T=_ -y=_ -Z=_ -V=_ -Y=_ -f=_ -e=_ -X=_ -o=_ -a=_ -b=_", Do: doCapture},
	{Names: "ngrep tcpflow", Opts: "-d=_ -I=r -O=w -r=r -w=w -o=w"},
}
