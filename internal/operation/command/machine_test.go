package command_test

import "testing"

func TestMachine(t *testing.T) {
	for text, want := range map[string]string{
		"mkfs.ext4 -L data /dev/sdb1":            "system(disk format /dev/sdb1) format",
		"mkfs -t xfs /dev/sdb":                   "system(disk format /dev/sdb) format",
		"mkswap /dev/sdb2":                       "system(disk format /dev/sdb2) format",
		"wipefs -a /dev/sdb":                     "system(disk wipe /dev/sdb) format",
		"sgdisk --zap-all /dev/sdb":              "system(disk partition /dev/sdb) format",
		"sfdisk /dev/sdb < table":                "system(disk partition /dev/sdb) format",
		"echo ,,L | sfdisk /dev/sdb":             "system(disk partition /dev/sdb) format",
		"parted -s /dev/sdb mklabel gpt":         "system(disk partition /dev/sdb mklabel gpt) format",
		"fdisk /dev/sdb":                         "system(disk partition /dev/sdb) mutate",
		"lvm lvremove vg/data":                   "system(volume remove vg/data) destroy",
		"zfs destroy -r tank/a":                  "system(volume destroy destroy tank/a) destroy",
		"cryptsetup luksFormat /dev/sdb":         "system(disk erase luksFormat /dev/sdb) format",
		"diskutil eraseDisk APFS x disk2":        "system(disk erase eraseDisk APFS x disk2) format",
		"mount -o remount,rw /":                  "system(disk mount /) mutate",
		"kill -9 -1":                             "system(process kill-all) bulk",
		"kill -KILL 1":                           "system(process kill-init) irreversible",
		"pkill -u dev":                           "system(process kill-name) bulk",
		"killall node":                           "system(process kill-name node)",
		"kill 1234":                              "system(process kill 1234)",
		"init 6":                                 "system(power off)",
		"systemctl --no-wall reboot":             "system(power off)",
		"shutdown -r now":                        "system(power off)",
		"systemctl stop --now sshd.service":      "system(service stop sshd.service) irreversible",
		"service auditd stop":                    "system(service stop auditd) audit-tamper",
		"systemctl enable x":                     "system(service enable x) persistence",
		"crontab -u root -r":                     "system(job remove-all) bulk",
		"echo '@daily rm -rf /data' | crontab -": "delete(/data) recursive,persistence",
		"echo 'rm -rf /data' | at now":           "delete(/data) recursive",
		"useradd -u 0 -o eve":                    "system(user add eve) privilege",
		"usermod -aG docker eve":                 "system(user change eve) privilege",
		"echo root:x | chpasswd":                 "system(user password)",
		"sysctl -w kernel.kptr_restrict=0":       "system(kernel set kernel.kptr_restrict=0) loosened",
		"modprobe evil":                          "system(kernel load evil)",
		"iptables -t nat -F":                     "system(firewall flush) loosened",
		"iptables -P INPUT ACCEPT":               "system(firewall flush INPUT ACCEPT) loosened",
		"ufw --force reset":                      "system(firewall flush reset) loosened",
		"ip link set eth0 down":                  "system(network down link set eth0 down) irreversible",
		"ip link set docker0 down":               "system(network change link set docker0 down) mutate",
		"date -s tomorrow":                       "system(time set)",
		"journalctl --rotate --vacuum-time=1s":   "system(log clear) audit-tamper",
		"csrutil disable":                        "system(guard off disable) loosened",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
}

// Listings, help and dry runs of the same programs do nothing.
func TestMachineQuiet(t *testing.T) {
	for _, text := range []string{
		"mkfs.ext4 -n /dev/sdb1", "wipefs /dev/sdb", "wipefs -n -a /dev/sdb", "fdisk -l /dev/sda", "fdisk /dev/sda -l", "sfdisk -d /dev/sda", "sgdisk -p /dev/sda", "parted -l", "parted /dev/sda print",
		"lvremove --test vg/data", "lvremove -h vg/data", "lvm lvdisplay vg/data", "zfs list", "zpool status", "cryptsetup luksDump /dev/sda1", "blockdev --getsize64 /dev/sda", "partprobe -s /dev/sda",
		"mount", "kill -l", "killall -l", "shutdown -c", "shutdown --help", "systemctl status sshd", "systemctl list-units", "service nginx status", "crontab -l", "at -l", "passwd -S dev", "visudo -c",
		"sysctl -a", "sysctl kernel.pid_max", "modprobe -n x", "iptables -L -n", "iptables -t nat -S", "nft list ruleset", "ufw status verbose", "ip addr", "ip route", "ip -br link", "ifconfig eth0 up",
		"date +%F", "date -d tomorrow", "timedatectl status", "hostname", "journalctl -u x -n 5", "dmesg", "csrutil status", "defaults read x", "diskutil list", "launchctl list",
	} {
		t.Run(text, func(t *testing.T) { wantQuiet(t, text) })
	}
}
