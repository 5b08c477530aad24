package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// machineModels are the programs that change the machine: disks, processes, services,
// users, kernel, network and power.
var machineModels = []Model{
	// Disks and file systems. What they write to is a device, or a file that serves as one.
	{Names: "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.msdos mkfs.minix mkfs.jfs mkfs.reiserfs mkfs.nilfs2 mkfs.bcachefs mkfs.erofs mkfs.udf mkreiserfs mke2fs mkdosfs mkntfs mkswap newfs newfs_apfs newfs_hfs newfs_msdos zfs_format", Opts: "-t,--type=_ -L,--label=_ -O=_ -b=_ -m=_ -i=_ -U=_ -E=_ -N=_ -d=_ -l=_ -s=_ -S=_ -f -V+inert", Do: doFormat},
	{Names: "wipefs", Opts: "-a,--all -o,--offset=_ -t,--types=_ -n,--no-act+inert -b,--backup -f,--force+force", Do: doWipefs},
	{Names: "fdisk cfdisk", Opts: "-l,--list -s,--getsz -b,--sector-size=_ -B -c,--compatibility?=_ -u,--units?=_ -C,--cylinders=_ -H,--heads=_ -S,--sectors=_ -t,--type=_ -w,--wipe=_ -W,--wipe-partitions=_ -o,--output=_ -L,--color?=_ -z,--zero -v,-V+inert -h+inert", Do: doPartition},
	{Names: "sfdisk", Opts: "-l,--list -g,--show-geometry -s,--show-size -d,--dump -J,--json -F,--list-free -V,--verify -T,--list-types -v,--version+inert -h+inert -n,--no-act+inert -N,--partno=_ -f,--force -a,--append -b,--backup -O,--backup-file=_ -o,--output=_ -X,--label=_ -w,--wipe=_ -W,--wipe-partitions=_ -u,--unit=_ --part-label --part-type --part-uuid --part-attrs --disk-id --delete -A,--activate -r,--reorder", Do: doPartition},
	{Names: "gdisk cgdisk sgdisk", Opts: "-l -p,--print -v,--verify -i,--info=_ -O,--print-mbr -L,--list-types -V,--version+inert -P,--pretend+inert -o,--clear -z,--zap -Z,--zap-all --new-table -n,--new=_ -d,--delete=_ -t,--typecode=_ -c,--change-name=_ -g,--mbrtogpt -G,--randomize-guids -b,--backup=_ -R,--replicate=_ -l,--load-backup=_ -a,--set-alignment=_ -A,--attributes=_ -h,--hybrid=_ -U,--disk-guid=_ -u,--partition-guid=_ -m,--gpttombr=_ -r,--transpose=_ -E,-F,-f,-D,-S=_", Do: doPartition},
	{Names: "parted gparted", Opts: "-l,--list -m,--machine -j,--json -s,--script -f,--fix -v+inert -h+inert -a,--align=_", Do: doParted},
	{Names: "blockdev", Do: doBlockdev},
	{Names: "dump restore xfsdump xfsrestore e2image partclone.ext4 partclone.restore ntfsclone partimage fsarchiver ddrescue dd_rescue", Do: doImage},
	{Names: "partprobe", Opts: "-s,--summary+inert -d,--dry-run -h,-v+inert", Do: doMount},
	{Names: "lvm", Do: doLvm},
	{Names: "blkdiscard hdparm sdparm badblocks nwipe scrub format.com secure-delete", Opts: "-n,-z,--zero -w -s -f,--force -o=_ -l=_ -p=_ -v --security-erase=_ --security-erase-enhanced=_ --user-master=_ -I -i -t -T -C -g", Do: doErase},
	{Names: "nvme", Do: doNvme},
	{Names: "cryptsetup veracrypt", Opts: "-q,--batch-mode -c=_ -s=_ -h=_ -d,--key-file=_ -T=_ --type=_", Do: doCryptsetup},
	{Names: "pvcreate pvremove pvresize pvchange vgremove vgrename vgchange vgmerge vgsplit vgextend lvextend lvrename lvchange lvremove vgreduce lvreduce lvresize lvcreate vgcreate pvmove vgcfgrestore lvconvert", Opts: "-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -n,--name=_ -t,--test+inert -h,--longhelp+inert --reportformat=_ -S,--select=_ --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints --addtag=_ --deltag=_ --alloc=_ -d,--debug -v,--verbose -A,--autobackup=_", Do: doVolume},
	{Names: "mdadm", Opts: "-C,--create -S,--stop --zero-superblock -f,--fail -r,--remove -l=_ -n=_ -D,--detail -Q,--query -E,--examine --misc", Do: doMdadm},
	{Names: "zpool zfs", Opts: "-n,--dryrun+inert", Do: doPool}, {Names: "btrfs bcachefs", Do: doBtrfs}, {Names: "dmsetup", Do: doDmsetup},
	{Names: "nbd-client", Opts: "-d,--disconnect", Do: doMount},
	{Names: "diskutil hdiutil", Do: doDiskutil},
	{Names: "mount", Opts: "-t,--types=_ -o,--options=_ -O,--test-opts=_ -L,--label=_ -U,--uuid=_ -N,--namespace=_ -T,--fstab=r --source=_ --target=_ --target-prefix=_ --options-mode=_ --options-source=_ -p,--pass-fd=_ -f,--fake+inert -l,--show-labels", Do: doMount},
	{Names: "umount", Opts: "-t,--types=_ -O,--test-opts=_ -N,--namespace=_ --fake+inert", Do: doMount},
	{Names: "losetup", Opts: "-o,--offset=_ --sizelimit=_ -b,--sector-size=_ -j,--associated=_ -O,--output=_ -l,--list -a,--all", Do: doMount},
	{Names: "swapoff", Opts: "-L=_ -U=_", Do: doMount},
	{Names: "swapon", Opts: "-L=_ -U=_ -p,--priority=_ -o,--options=_ -T,--fstab=r -s,--summary -l", Do: doMount},
	{Names: "fstrim", Opts: "-o,--offset=_ -l,--length=_ -m,--minimum=_ -t,--types=_ -I,--listed-in=_ -n,--dry-run+inert", Do: doMount},
	{Names: "resize2fs", Opts: "-S=_ -d=_ -z=w", Do: doMount},
	{Names: "xfs_growfs", Opts: "-D=_ -L=_ -R=_ -m=_ -e=_ -t=r -n+inert", Do: doMount},
	{Names: "tune2fs", Opts: "-c=_ -C=_ -e=_ -E=_ -g=_ -i=_ -I=_ -J=_ -L=_ -m=_ -M=_ -o=_ -O=_ -Q=_ -r=_ -T=_ -u=_ -U=_ -z=w -l", Do: doMount},
	{Names: "e2fsck fsck.ext4 fsck.ext3 fsck.ext2", Opts: "-b=_ -B=_ -C=_ -E=_ -j=_ -l=r -L=r -z=w -n", Do: doMount},
	{Names: "fsck", Opts: "-t=_ -C?=_ -r?=_ -l -N+inert -n", Do: doMount},
	{Names: "xfs_repair", Opts: "-l=_ -m=_ -o=_ -r=_ -t=_ -c=_ -n", Do: doMount},
	{Names: "debugfs", Opts: "-R=_ -f=r -b=_ -s=_ -d=_ -z=w", Do: doMount},
	{Names: "e2label", Do: doMount},
	{Names: "kpartx", Opts: "-p=_ -t=_ -l+inert", Do: doMount},
	{Names: "grub-install grub2-install update-grub grub-mkconfig grub2-mkconfig efibootmgr bcdedit bless bootctl dracut mkinitcpio update-initramfs kernel-install nvram", Opts: "-v -l", Do: doBoot},
	{Names: "format", Style: Windows | CaseFold, Do: doFormatWindows},

	// Processes and power.
	{Names: "kill", Style: NoOptions, Do: doKill}, {Names: "pkill killall killall5 skill xkill taskkill tskill", Opts: "-u,-U,--user,--euid,--uid=_ -s,--signal=_ -g=_ -P=_ -t=_ -f,--full -l,--list -o=_ -y=_ -n -e,--exact -w,--wait", Do: doPkill},
	{Names: "shutdown poweroff reboot halt telinit init systemctl-reboot Stop-Computer", Opts: "-c -k --wtmp-only -t=_ --no-wall", Do: doPower},
	{Names: "loginctl", Do: doLoginctl}, {Names: "pmset systemsetup", Do: doQuietSystem},

	// Services and scheduled work.
	{Names: "systemctl", Style: Verb, Opts: "--image=_ --image-policy=_ --job-mode=_ --kill-who,--kill-whom=_ --kill-value=_ --preset-mode=_ --boot-loader-menu=_ --boot-loader-entry=_ --firmware-setup --message=_ --timestamp=_ --reboot-argument=_ --legend=_ --when=_ --what=_ -P=_ -C,--capsule=_ -H,--host=_ -M,--machine=_ -t,--type=_ -p,--property=_ -n,--lines=_ -o,--output=_ --state=_ -s,--signal=_ --root=_ --user --now --no-pager -a,--all -l,--full -q", Do: doSystemctl},
	{Names: "service rc-service invoke-rc.d", Do: doService}, {Names: "sv svc s6-svc supervisorctl monit pm2-system", Do: doSv}, {Names: "launchctl", Do: doLaunchctl},
	{Names: "update-rc.d chkconfig rc-update insserv", Do: doServiceEnable},
	{Names: "crontab", Opts: "-u=_ -r -l -e -i", Do: doCrontab}, {Names: "at batch", Opts: "-f=_ -q=_ -t=_ -l -c=_ -d,-r", Do: doAt}, {Names: "atrm", Do: doAtrm}, {Names: "anacron atq cronnext"},
	{Names: "journalctl", Opts: "--vacuum-size=_ --vacuum-time=_ --vacuum-files=_ --rotate --flush -u,--unit=_ -n,--lines=_ -S,--since=_ -U,--until=_ -p=_ -o=_ -t=_ -g=_ -D=_ -b?=_", Do: doJournal},
	{Names: "auditctl augenrules", Opts: "-D -e=_ -l -s -w=_ -a=_ -d=_ -k=_ -p=_ -W=_ -R=_", Do: doAuditctl}, {Names: "wevtutil", Do: doWevtutil}, {Names: "logrotate", Opts: "-f,--force -s,--state=_ -d,--debug+inert -l,--log=_ -m,--mail=_", Do: doLogrotate}, {Names: "dmesg", Opts: "-C,--clear -c,--read-clear", Do: doDmesg},
	{Names: "rsyslogd syslogd auditd"}, {Names: "last lastlog who w uptime ps top htop free vmstat iostat ss netstat groups uname lscpu lsblk lsusb lspci df blkid findmnt sensors dmidecode hostid nproc arch-info getconf locale tty pstree", Opts: ""},

	// Users and rights.
	{Names: "chsh", Opts: "-s,--shell=_ -R,--root=_ -l,--list-shells+inert", Do: doUsers},
	{Names: "useradd adduser groupadd addgroup newusers usermod groupmod userdel deluser groupdel delgroup chpasswd passwd chage gpasswd vipw vigr visudo chfn pw dscl dseditgroup sysadminctl realm", Opts: "-a,--append -G,--groups=_ -g,--gid=_ -u,--uid=_ -d,--home=_ -s,--shell=_ -p,--password=_ -c,--comment,-check=_ -r,--remove,--system -m -M -L,--lock -U,--unlock -S,--status -e=_ -f=_ -l=_ -E=_ -W=_", Do: doUsers},
	{Names: "setenforce", Do: doGuardOff}, {Names: "aa-disable aa-teardown aa-complain apparmor_parser semodule setsebool csrutil spctl tccutil fdesetup", Do: doGuardOff},

	// Kernel and clock.
	{Names: "sysctl", Opts: "-w,--write -p,--load?=_ -a,--all -n -q --system", Do: doSysctl}, {Names: "insmod modprobe rmmod kmod kexec kldload kextload kextunload dkms", Opts: "-r,--remove -l -e -c -n,--dry-run,--show-depends+inert -v", Do: doKernel},
	{Names: "date", Opts: "-s,--set=_ -d,--date=_ -r,--reference=_ -f,--file=r -I?=_ -u -R -j", Do: doDate}, {Names: "timedatectl hwclock ntpdate", Do: doClock}, {Names: "hostnamectl localectl hostname", Do: doQuietSystem}, {Names: "ulimit"},

	// Network of the machine.
	{Names: "iptables ip6tables iptables-legacy iptables-nft ebtables arptables", Opts: "-t,--table=_ -F,--flush -X,--delete-chain -Z -P,--policy -A,--append=_ -D,--delete=_ -I,--insert=_ -L,--list -S,--list-rules -j,--jump=_ -p=_ -s=_ -d=_ -i=_ -o=_ -m=_ --dport=_ --sport=_ -N=_ -C,--check=_", Do: doFirewall},
	{Names: "iptables-restore ip6tables-restore nft ufw firewall-cmd pfctl ipfw netsh-firewall", Do: doFirewall},
	{Names: "ip ifconfig route nmcli ifdown ifup ethtool iwconfig iw networksetup brctl bridge tc wg wg-quick dhclient resolvectl scutil", Do: doNetworkConfig},
	{Names: "defaults", Do: doDefaults}, {Names: "update-alternatives ldconfig update-ca-certificates", Do: doQuietSystem}, {Names: "ldd", Args: "x"},
	{Names: "vssadmin wbadmin", Do: doShadowCopies},
}

// sys emits a change of the machine, verb and noun first, then what it concerns.
func sys(c *Call, what string, t umpire.Trait, args ...Word) {
	c.Op(umpire.System, Quote(what, args), t)
}

func doPower(c *Call) {
	if c.Has("-c") || c.Has("-k") || c.Has("--wtmp-only") {
		return
	}
	if c.Program == "init" || c.Program == "telinit" {
		switch c.Arg(0).Text {
		case "0", "6", "1", "s", "S":
		default:
			return
		}
	}
	sys(c, "power off", umpire.Irreversible)
}

func doLoginctl(c *Call) {
	switch v := c.Arg(0).Text; {
	case v == "poweroff" || v == "reboot" || v == "halt" || v == "suspend" || v == "hibernate":
		sys(c, "power off", 0)
	case strings.HasPrefix(v, "kill-") || strings.HasPrefix(v, "terminate-"):
		sys(c, "process kill", umpire.Bulk, c.Operands...)
	case v == "enable-linger": // the user's services start at boot from now on
		sys(c, "service enable", umpire.Persistence, c.Operands...)
	}
}

func doQuietSystem(c *Call) {
	switch v := c.Arg(0).Text; {
	case v == "" || v == "status" || v == "show" || v == "list" || strings.HasPrefix(v, "get") || strings.HasPrefix(v, "-get"):
		return
	}
	if c.Program == "hostname" && strings.HasPrefix(c.Arg(0).Text, "-") {
		return
	}
	sys(c, "setting "+c.Program, umpire.Mutate, c.Operands...)
}

// ownShell reports whether chsh gives its caller one of the shells that systems have.
func ownShell(c *Call) bool {
	shell, ok := c.Opt("-s")
	if !ok || len(c.Operands) > 0 {
		return false
	}
	dir, name := shell.Text[:strings.LastIndexByte(shell.Text, '/')+1], lastName(shell.Text)
	switch dir {
	case "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/", Installed:
	default:
		return false
	}
	switch name {
	case "sh", "bash", "zsh", "fish", "dash", "ksh", "tcsh", "nu":
		return true
	}
	return false
}

func doUsers(c *Call) {
	if c.Has("-S") || c.Program == "visudo" && c.Has("-c") {
		return
	}
	if c.Program == "chsh" && ownShell(c) {
		sys(c, "shell login", umpire.Mutate, c.All("-s")...)
		return
	}
	verb := "user change"
	t := umpire.Mutate
	switch c.Program {
	case "useradd", "adduser", "newusers":
		verb, t = "user add", t|umpire.Persistence
	case "userdel", "deluser":
		verb, t = "user delete", t|umpire.Irreversible|umpire.Destroy
	case "groupadd", "addgroup":
		verb = "group add"
	case "groupdel", "delgroup":
		verb = "group delete"
	case "passwd", "chpasswd":
		verb, t = "user password", t|umpire.Persistence
	case "visudo", "vipw", "vigr":
		verb, t = "user rights", t|umpire.Privilege|umpire.Persistence
	case "dscl", "pw", "sysadminctl", "dseditgroup":
		list := false
		for _, w := range c.Args {
			switch strings.TrimPrefix(w.Text, "-") {
			case "read", "list", "search", "show", "usershow", "readall", "o":
				list = true
			case "create", "append", "useradd", "addUser", "passwd":
				t |= umpire.Persistence
			case "delete", "userdel", "deleteUser":
				t |= umpire.Destroy | umpire.Irreversible
			}
		}
		if list && t == umpire.Mutate {
			return
		}
	}
	for _, w := range append(c.All("-G"), c.Operands...) {
		for g := range strings.SplitSeq(w.Text, ",") {
			switch g {
			case "sudo", "wheel", "root", "admin", "docker", "lxd", "disk", "shadow", "adm":
				t |= umpire.Privilege | umpire.Persistence
			}
		}
	}
	if uid, ok := c.Opt("-u"); ok && uid.Text == "0" {
		t |= umpire.Privilege
	}
	sys(c, verb, t, c.Operands...)
}

func doGuardOff(c *Call) {
	v := strings.ToLower(c.Arg(0).Text)
	switch c.Program {
	case "setenforce":
		if v == "1" || v == "enforcing" {
			return
		}
	case "csrutil", "spctl", "fdesetup":
		if v == "status" || v == "list" || v == "report" || v == "enable" || c.Has("--status") || c.Has("--assess") || c.Has("-a") {
			return
		}
	case "semodule":
		if c.Has("-l") {
			return
		}
	}
	sys(c, "guard off", umpire.SelfTamper|umpire.Loosened, c.Operands...)
}

func doSysctl(c *Call) {
	if c.Has("-p") || c.Has("--system") {
		sys(c, "kernel set", umpire.Mutate)
	}
	for _, w := range c.Operands {
		if strings.Contains(w.Text, "=") {
			t := umpire.Mutate
			if strings.HasPrefix(w.Text, "kernel.") || strings.HasPrefix(w.Text, "fs.protected") || strings.HasPrefix(w.Text, "fs.suid") {
				t |= umpire.Loosened
			}
			sys(c, "kernel set", t, w)
		}
	}
}

func doKernel(c *Call) {
	v := c.Arg(0).Text
	if v == "" || c.Has("-l") && c.Program != "kexec" || v == "list" || v == "status" || v == "static-nodes" {
		return
	}
	sys(c, "kernel load", umpire.Loosened|umpire.Privilege, c.Operands...)
}

func doDate(c *Call) {
	if _, ok := c.Opt("-s"); ok {
		sys(c, "time set", umpire.AuditTamper)
		return
	}
	for _, w := range c.Operands {
		if !strings.HasPrefix(w.Text, "+") && !c.Has("-j") && w.Known() && strings.Trim(w.Text, "0123456789.") == "" && len(w.Text) >= 8 {
			sys(c, "time set", umpire.AuditTamper)
		}
	}
}

func doClock(c *Call) {
	switch v := c.Arg(0).Text; {
	case strings.HasPrefix(v, "set-"), c.Program == "ntpdate", c.Has("--set"), c.Has("-w"), c.Has("--hctosys"), c.Has("-s"):
		sys(c, "time set", umpire.Mutate, c.Operands...)
	}
}

func doFirewall(c *Call) {
	text := Quote("", c.Args)
	if strings.HasSuffix(c.Program, "-restore") && !c.Has("-t") {
		t := umpire.Mutate
		if c.Stdin.Seen && !strings.Contains(c.Stdin.Text, "-A") {
			t |= umpire.Loosened | umpire.Irreversible
		}
		sys(c, "firewall flush", t, c.Operands...)
		return
	}
	flush := c.Has("-F") || c.Has("-X") || strings.Contains(text, " flush ruleset") || strings.Contains(text, " flush") || strings.Contains(text, " disable") || strings.Contains(text, " reset") ||
		c.Program == "pfctl" && (c.Has("-d") || c.Has("-F")) || strings.Contains(text, "--panic-on") || strings.Contains(text, " delete table")
	open := false
	if c.Has("-P") {
		open = strings.Contains(text, "ACCEPT")
		flush = flush || strings.Contains(text, "DROP")
	}
	if strings.Contains(text, "default allow") {
		open = true
	}
	list := c.Has("-L") || c.Has("-S") || c.Has("-C") || c.Arg(0).Text == "list" || c.Arg(0).Text == "status" || c.Arg(0).Text == "show" || strings.Contains(text, "--list") || strings.Contains(text, "--get") || strings.Contains(text, "--state") || c.Program == "pfctl" && c.Has("-s")
	switch {
	case flush || open:
		sys(c, "firewall flush", umpire.Loosened|umpire.Irreversible, c.Operands...)
	case list, len(c.Args) == 0:
	default:
		sys(c, "firewall change", umpire.Mutate, c.Operands...)
	}
}

func doNetworkConfig(c *Call) {
	text := " " + Quote("", c.Args) + " "
	minor := strings.Contains(text, " cache ") || strings.Contains(text, " docker") || strings.Contains(text, " br-") || strings.Contains(text, " veth") || strings.Contains(text, " virbr") || strings.Contains(text, " tun") || strings.Contains(text, " wg") || strings.Contains(text, " lo ")
	if minor && (strings.Contains(text, " down ") || strings.Contains(text, " flush ") || strings.Contains(text, " del")) {
		sys(c, "network change", umpire.Mutate, c.Operands...)
		return
	}
	for _, v := range []string{" down ", " del ", " delete ", " flush ", " off ", " disconnect ", " replace ", " change ", " unmanaged ", " remove "} {
		if strings.Contains(text, v) {
			sys(c, "network down", umpire.Mutate|umpire.Irreversible, c.Operands...)
			return
		}
	}
	if c.Program == "ifdown" {
		sys(c, "network down", umpire.Mutate|umpire.Irreversible, c.Operands...)
		return
	}
	for _, v := range []string{" add ", " set ", " modify ", " -set"} {
		if strings.Contains(text, v) {
			sys(c, "network change", umpire.Mutate, c.Operands...)
			return
		}
	}
}

func doDefaults(c *Call) {
	switch c.Arg(0).Text {
	case "write", "delete", "import", "rename":
		sys(c, "setting defaults", umpire.Mutate, c.Operands...)
	}
}

func doShadowCopies(c *Call) {
	switch strings.ToLower(c.Arg(0).Text) {
	case "delete", "resize":
		sys(c, "backup delete", umpire.Irreversible|umpire.DataStore|umpire.Destroy, c.Operands...)
	}
}
