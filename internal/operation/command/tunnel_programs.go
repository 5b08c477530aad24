// Code generated from programs/tunnel.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var tunnelModels = []Model{
	{Names: "ngrok", Opts: "--config=_ --region=_ --domain,--hostname=_ --subdomain=_ --log=_ --authtoken=_ --url=_", Do: doTunnel},
	{Names: "cloudflared", Opts: "--config=_ --url=_ --name=_ --hostname=_ --token=_ --unix-socket=_ --logfile=w --credentials-file=_", Do: doTunnel},
	{Names: "localtunnel lt localxpose loclx bore frpc frps chisel gost pagekite zrok tailscale tailscaled inlets expose telebit serveo portmap boringproxy rathole nps npc ligolo-ng ligolo iodine dnscat dnscat2 ptunnel stunnel sish holesail hypertele gsocket gs-netcat pinggy localhost.run devtunnel wiretap", Opts: "-p,--port=_ -s,--subdomain=_ -h,--host=_ -l,--local-host=_ -c,--config=_", Do: doTunnel},
	{Names: "tmate upterm teleconsole sshx ttyd gotty wetty shellinabox sshuttle-server", Opts: "-p,--port=_ -i,--interface=_ -c,--credential=_", Do: doShareTerminal},
	{Names: "sshuttle", Opts: "-r,--remote=h -e,--ssh-cmd=P -x,--exclude=_"},
}
