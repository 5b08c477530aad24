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

// doMount remembers that the files of a bind mount have two paths.
func doMount(c *Call) {
	if len(c.Operands) == 2 {
		from, _ := c.Path(c.Arg(0))
		c.Link(c.Arg(1), c.Arg(0).With(from))
	}
}

func doFormatWindows(c *Call) {
	for _, w := range c.Operands {
		if len(w.Text) >= 2 && w.Text[1] == ':' {
			sys(c, "disk format", umpire.Format|umpire.Irreversible, w)
		}
	}
}
