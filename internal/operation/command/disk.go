package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// doFormat reads programs that make file systems. Every operand may be the device, since a size or
// a label can follow it. In a file of the project or a temporary file a file system is harmless.
func doFormat(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	if anyof.Equal(c.Program, "mkfs.ext2", "mkfs.ext3", "mkfs.ext4", "mke2fs", "mkfs.ntfs", "mkntfs") && c.Has("-n") || c.Has("--dry-run") {
		return // only shows the plan
	}
	for _, w := range c.Operands {
		if _, p := c.Path(w); p&(umpire.PlaceTemp|umpire.PlaceInWorkspace) != 0 {
			c.WriteFile(w, umpire.Truncate, Unseen(0))
			continue
		}
		if w.Known() && strings.Trim(w.Text, "0123456789kKmMgGtT") == "" {
			continue // a size
		}
		c.WriteFile(w, umpire.Format|umpire.Irreversible, Unseen(0))
		sys(c, "disk format", umpire.Format|umpire.Irreversible, w)
	}
}

func doWipefs(c *Call) {
	if c.Has("-a") || c.Has("-o") {
		for _, w := range c.Operands {
			c.WriteFile(w, umpire.Format|umpire.Irreversible, Unseen(0))
		}
		sys(c, "disk wipe", umpire.Format|umpire.Irreversible, c.Operands...)
	}
}

// doPartition reads programs that edit partition tables. Interactive ones ask before they write;
// changes from standard input or an option are written at once.
func doPartition(c *Call) {
	prints := c.Has("-l", "-s", "-g", "-d", "-J", "-F", "-T", "-p", "-i", "-O", "-L")
	switch c.Program {
	case "gdisk":
		prints = c.Has("-l")
	case "sgdisk": // some of these letters write: -d deletes, -l loads a backup
		prints = c.Has("-p", "-i", "-O", "-L", "-F", "-f", "-E", "-D", "-v") && !c.Has("-d", "-g", "-l", "-n", "-N", "-m", "-R", "-T", "-h", "-r", "-s", "-t")
	}
	if len(c.Operands) == 0 || prints && !c.Has("-o", "-z", "-Z") {
		return
	}
	t := umpire.Mutate
	var writes bool
	switch c.Program {
	case "sfdisk":
		if c.Has("-V") {
			return
		}
		writes = c.Stdin.Pipe || c.Has("-f", "--delete", "-w")
	case "fdisk", "cfdisk":
		writes = c.Stdin.Pipe && (!c.Stdin.Seen || strings.ContainsAny(c.Stdin.Text, "wgod"))
	default:
		writes = c.Has("-o", "-z", "-Z", "--new-table", "-R", "-g", "-m") || c.Stdin.Pipe && c.Stdin.Seen || c.Program == "sgdisk" && c.Has("-d", "-l")
	}
	if writes {
		t |= umpire.Format | umpire.Irreversible
	}
	sys(c, "disk partition", t, c.Operands...)
}

// doParted reads parted DEVICE COMMAND... Without a command, parted is interactive.
func doParted(c *Call) {
	if c.Has("-l") || len(c.Operands) == 0 {
		return
	}
	if len(c.Operands) == 1 {
		sys(c, "disk partition", umpire.Mutate, c.Operands...)
		return
	}
	if _, p := c.Path(c.Operands[0]); p&umpire.PlaceTemp != 0 || p&umpire.PlaceInWorkspace != 0 && !c.Exists(c.Operands[0]) { // a new image
		c.WriteFile(c.Operands[0], umpire.Truncate, Unseen(0))
		return
	}
	for _, w := range c.Operands[1:] {
		if anyof.Equal(w.Text, "mklabel", "mktable", "rm", "mkpart", "mkpartfs", "mkfs", "resizepart", "resize", "move", "cp", "rescue", "name", "set", "toggle", "disk_set", "disk_toggle", "type") {
			sys(c, "disk partition", umpire.Mutate|umpire.Format|umpire.Irreversible, c.Operands...)
			return
		}
	}
}

// doImage reads programs that copy whole file systems. They read or write all of a device among
// their operands.
func doImage(c *Call) {
	for _, w := range c.Operands {
		if _, p := c.Path(w); p&umpire.PlaceDevice != 0 {
			sys(c, "disk image", umpire.Mutate, c.Operands...)
			return
		}
	}
}

// doLvm runs the words after lvm as the program of that name.
func doLvm(c *Call) {
	if len(c.Operands) > 0 {
		c.Exec(c.Args, Run{Out: true})
	}
}

func doErase(c *Call) {
	switch c.Program {
	case "hdparm", "sdparm":
		if !c.Has("--security-erase", "--security-erase-enhanced", "--trim-sector-ranges", "--trim-sector-ranges-stdin", "--write-sector", "--make-bad-sector", "--repair-sector",
			"--sanitize-block-erase", "--sanitize-crypto-scramble", "--sanitize-overwrite", "--fwdownload", "--fwdownload-mode3", "--dco-restore") {
			if c.Has("-Y", "-y", "-f", "-F", "--security-set-pass", "--security-disable", "--security-freeze", "--dco-freeze", "-w") {
				sys(c, "disk change", umpire.Mutate, c.Operands...)
			}
			return
		}
	case "badblocks":
		if !c.Has("-w") {
			return
		}
	}
	if len(c.Operands) > 0 {
		sys(c, "disk erase", umpire.Format|umpire.Irreversible, c.Operands...)
	}
}

func doNvme(c *Call) {
	switch v := c.Arg(0).Text; {
	case anyof.Equal(v, "format", "sanitize", "sanitize-ns", "delete-ns", "write-zeroes", "write-uncor", "write", "dsm", "copy", "detach-ns"):
		sys(c, "disk erase", umpire.Format|umpire.Irreversible, c.Operands...)
	case v == "zns" && anyof.Equal(c.Arg(1).Text, "reset-zone", "finish-zone", "zone-append", "set-zone-desc", "offline-zone"):
		sys(c, "disk erase", umpire.Format|umpire.Irreversible, c.Operands...)
	case v == "" || anyof.Equal(v, "help", "version", "read", "verify", "compare", "zns", "error-log", "telemetry-log", "device-self-test", "boot-part-log", "discover", "gen-hostnqn", "show-hostnqn", "top") ||
		anyof.HasPrefix(v, "list", "id-", "get-", "show-") || strings.HasSuffix(v, "-log") || strings.HasPrefix(v, "nvm-id"):
	default:
		sys(c, "disk change", umpire.Mutate, c.Operands...)
	}
}

func doVolume(c *Call) {
	t := umpire.Mutate
	switch {
	case strings.HasSuffix(c.Program, "remove"), c.Program == "pvcreate", c.Program == "vgreduce", c.Program == "lvreduce":
		t |= umpire.Irreversible | umpire.DataStore | umpire.Destroy
	}
	switch {
	case len(c.Operands) > 0:
	case len(c.opts) > 0 && !c.Has("-h") && strings.HasSuffix(c.Program, "change"): // changes all volumes
		t |= umpire.Bulk
	case c.Program == "pvmove" && c.Has("--abort"):
	default:
		return
	}
	sys(c, "volume "+strings.TrimLeft(c.Program, "plvg"), t, c.Operands...)
}

func doMount(c *Call) {
	if anyof.Equal(c.Program, "mount", "bindfs") && len(c.Operands) == 2 {
		from, _ := c.Path(c.Arg(0))
		c.Link(c.Arg(1), c.Arg(0).With(from)) // the files of a bind mount have two paths
	}
	switch c.Program {
	case "mount":
		if len(c.Operands) == 0 {
			return
		}
	case "fsck", "e2fsck", "fsck.ext2", "fsck.ext3", "fsck.ext4", "xfs_repair":
		if c.Has("-n") || len(c.Operands) == 0 {
			return
		}
	case "debugfs":
		if r, ok := c.Opt("-R"); ok && !strings.HasPrefix(r.Text, "rm") && !strings.HasPrefix(r.Text, "kill") {
			return
		}
	case "losetup":
		if !c.Has("-D", "-d") && (c.Has("-a", "-l", "-j", "-J") || len(c.Operands) == 0) {
			return
		}
	case "partx", "addpart", "delpart", "resizepart":
		if c.Program == "partx" && !c.Has("-a", "-d", "-u") {
			return
		}
	case "swapon", "e2label", "tune2fs":
		if c.Has("-l") || len(c.Operands) == 0 || c.Has("--show") {
			return
		}
	}
	sys(c, "disk "+c.Program, umpire.Mutate, c.Operands...)
}

func doFormatWindows(c *Call) {
	for _, w := range c.Operands {
		if len(w.Text) >= 2 && w.Text[1] == ':' {
			sys(c, "disk format", umpire.Format|umpire.Irreversible, w)
		}
	}
}
