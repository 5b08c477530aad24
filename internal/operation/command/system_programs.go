// Code generated from programs/system.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var systemModels = []Model{
	{Names: "chsh", Opts: "-s,--shell=_ -R,--root=_ -l,--list-shells+inert", Do: doUsers},
	{Names: "useradd adduser groupadd addgroup newusers usermod groupmod userdel deluser groupdel delgroup chpasswd passwd gpasswd chage vipw vigr visudo chfn pw dscl dseditgroup sysadminctl realm", Opts: "-a,--append -G,--groups=_ -g,--gid=_ -u,--uid=_ -d,--home=_ -s,--shell=_ -p,--password=_ -c,--comment,-check=_ -r,--remove,--system -m -M -L,--lock -U,--unlock -S,--status -e=_ -f=_ -l=_ -E=_ -W=_", Do: doUsers},
	{Names: "setenforce aa-disable aa-teardown aa-complain apparmor_parser semodule setsebool csrutil spctl tccutil fdesetup", Do: doGuardOff},
	{Names: "sysctl", Opts: "-w,--write -p,--load?=_ -a,--all -n -q --system", Do: doSysctl},
	{Names: "insmod modprobe rmmod kmod kexec kldload kextload kextunload dkms", Opts: "-r,--remove -l -e -c -n,--dry-run,--show-depends+inert -v", Do: doKernel},
	{Names: "date", Opts: "-s,--set=_ -d,--date=_ -r,--reference=_ -f,--file=r -I?=_ -u -R -j", Do: doDate},
	{Names: "timedatectl hwclock ntpdate", Do: doClock},
	{Names: "hostnamectl localectl hostname update-alternatives ldconfig update-ca-certificates", Do: doQuietSystem},
	{Names: "ulimit"},
	{Names: "iptables ip6tables iptables-legacy iptables-nft ebtables arptables", Opts: "-t,--table=_ -F,--flush -X,--delete-chain -Z -P,--policy -A,--append=_ -D,--delete=_ -I,--insert=_ -L,--list -S,--list-rules -j,--jump=_ -p=_ -s=_ -d=_ -i=_ -o=_ -m=_ --dport=_ --sport=_ -N=_ -C,--check=_", Do: doFirewall},
	{Names: "iptables-restore ip6tables-restore nft ufw firewall-cmd pfctl ipfw netsh-firewall", Do: doFirewall},
	{Names: "ip ifconfig route nmcli ifdown ifup ethtool iwconfig iw networksetup brctl bridge tc wg wg-quick dhclient resolvectl scutil", Do: doNetworkConfig},
	{Names: "defaults", Do: doDefaults},
	{Names: "ldd", Args: "x"},
	{Names: "vssadmin wbadmin", Do: doShadowCopies},
}
