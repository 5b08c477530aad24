package umpire

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Kind is the category of an Operation. In a pattern, it is the word before the parenthesis.
type Kind uint8

// The kinds. Filesystem, Text and TraitKind occur in patterns only: Filesystem stands for Write or
// Delete, Text matches the Action's text, and TraitKind matches an Operation's traits.
const (
	Exec     Kind = iota // runs a program: `exec(npm test)`, the argv without wrappers, the program by its base name
	Read                 // reads a file's content: `read(/home/dev/a.txt)`, an absolute clean path
	Write                // creates or changes a file or its permissions: `write(/etc/hosts)`
	Delete               // removes a file or moves it away: `delete(/home/dev)`
	Network              // contacts a host: `network(api.example.com:443)`, or with the method and path: `network(GET api.example.com:443/v1)`
	Git                  // changes a repository or its remote: `git(push --force origin main)`, the arguments after `git`
	Packages             // installs, removes or publishes a package: `packages(npm install left-pad)`, the argv
	Database             // runs a statement: `database(drop-table users)`, as verb-noun and object
	Infra                // changes a cloud, cluster, container or other remote resource: `infra(aws delete rds db-instance)`, as client, verb, noun and name
	System               // changes the machine: `system(power off)`, `system(service stop ssh)`
	Sandbox              // changes umpire's configuration or the agent's guards: `sandbox(umpire trust)`
	Tool                 // calls a tool by name: `tool(mcp__github__delete_repo)`
	Filesystem
	Text
	TraitKind
	kindCount
)

var kindNames = [kindCount]string{
	"exec", "read", "write", "delete", "network", "git", "packages", "database", "infra",
	"system", "sandbox", "tool", "filesystem", "text", "trait",
}

// String returns the word used in patterns.
func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "unknown"
}

// ParseKind reads the word before the parenthesis of a pattern.
func ParseKind(s string) (Kind, error) {
	for i, n := range kindNames {
		if n == s {
			return Kind(i), nil
		}
	}
	return 0, fmt.Errorf("unknown kind %q: use one of %s", s, strings.Join(kindNames[:], ", "))
}

// MarshalText implements encoding.TextMarshaler.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (k *Kind) UnmarshalText(b []byte) (err error) {
	*k, err = ParseKind(string(b))
	return err
}

// Hole stands in a Resource for a part that is known only at run time.
const Hole = "\u27e8?\u27e9"

// Operation is one thing that an Action does to one resource.
//
// Resource has a fixed form for each Kind. For read, write and delete it is an absolute clean
// path. For network it is host:port or "METHOD host:port/path". For exec, git and packages it
// is the argv, without wrappers and with the program's base name. For database, infra and
// system it is "verb-noun object". A part that cannot be known is a Hole, and the trait
// Unknown is set.
type Operation struct {
	Kind     Kind     `json:"kind"`
	Resource string   `json:"resource"`
	Traits   Trait    `json:"traits,omitempty"`
	Places   Place    `json:"places,omitempty"`  // for read, write, delete: classes of the path
	Via      []string `json:"via,omitempty"`     // wrappers around it, outermost first: sudo, bash -c
	Source   string   `json:"source,omitempty"`  // the part of the command that it was read from
	Origin   string   `json:"origin,omitempty"`  // for an operation from a file: the command that runs the file, and the position: "`make clean`, Makefile:12"
	Spelled  []string `json:"spelled,omitempty"` // for exec and git: the words of Resource, with all names of an option, and the usual name of a program and a sub-command; nil if they do not differ
	Task     bool     `json:"task,omitempty"`    // comes from a file that the program reads by itself: the default action applies to the program, and only rules and modes apply to this operation
}

// String returns the operation as patterns write it, kind(resource).
func (o Operation) String() string { return o.Kind.String() + "(" + o.Resource + ")" }

// Idle reports whether the operation is a shell built-in without effect, such as echo or cd.
func (o Operation) Idle() bool {
	return o.Kind == Exec && o.Traits == Described && !strings.Contains(o.Resource, " ")
}

// Trait is a set of inferred properties of an Operation.
type Trait uint64

// The traits.
const (
	Recursive       Trait = 1 << iota // acts on a whole tree
	Force                             // asks for no confirmation, overrides a safeguard
	Bulk                              // acts on all or an unbounded number of resources
	RemoteCode                        // runs code that came from the network
	DecodedCode                       // runs code that came out of a decoder
	UnseenCode                        // runs code whose text is not known
	Exfiltration                      // sends private data to another host
	Privilege                         // has another user's rights
	Irreversible                      // cannot be undone
	Obfuscated                        // hides its meaning by its spelling
	SelfTamper                        // weakens umpire, the agent's guards or its settings
	Unknown                           // has a resource that is not fully known
	Inert                             // only prints help, a version or a dry run: rules skip it unless they name this trait
	CarriesSecret                     // has data from a secret file, or data that looks like a credential
	FromNetwork                       // has data from the network
	RemoteShell                       // connects a shell with a remote party
	Persistence                       // outlives the task: jobs, services, start-up files, login keys
	Production                        // names a production environment
	ResourceBomb                      // spawns or fills without bound
	WorldWritable                     // opens permissions for everyone
	Setuid                            // sets the owner-rights bit or a capability
	PlainHTTP                         // uses unencrypted transport
	RawIP                             // names a host by its number
	Metadata                          // contacts a cloud's metadata service
	HiddenText                        // has zero-width, bidirectional, control or look-alike characters, or white space that fills a screen
	ProtectedBranch                   // concerns main, master, release and similar branches
	Truncate                          // replaces what was there
	Append                            // adds to what was there
	Format                            // makes a file system or partition table
	Listen                            // waits for connections
	Upload                            // sends a body or a file
	Download                          // saves data from the network
	UntrustedSource                   // takes packages or code from outside the usual registries
	Global                            // installs or configures for the whole machine or user
	RunsProgram                       // has a setting that names a program to run
	LoadsCode                         // has an environment that loads code into programs
	BypassFlags                       // starts an agent without its guards
	PublicAccess                      // opens a resource to everyone
	NoWhere                           // is a statement that concerns every row
	AuditTamper                       // erases or stops a record of actions
	NestedAgent                       // starts another coding agent
	Message                           // sends messages to people: mail, chat, comments
	Payment                           // moves money
	Mutate                            // changes a remote resource
	Destroy                           // destroys a remote resource
	SkipsCheck                        // skips hooks, signatures or certificate checks
	EnvDump                           // prints or sends the whole environment
	Tunnel                            // forwards a port to or from a remote party
	WholeTree                         // has operands that name everything: `.`, `*`, `:/`
	Overwrite                         // copies or moves over an existing name, or replaces something at a service
	Remote                            // happens on another machine or in another container
	DataStore                         // destroys stored data: a database, bucket, volume, backup or key
	Container                         // happens inside a container
	HostAccess                        // gives a container or remote party the host's files or control
	Loosened                          // makes permissions milder
	Ownership                         // changes an owner or group
	Permissions                       // changes permission bits
	Filtered                          // is narrowed by name, age, size or type
	Uncommitted                       // discards uncommitted work
	Interactive                       // runs later input: a shell, an interpreter or a login without a command
	Described                         // is a program that does only the operations read with it
	ProjectCode                       // runs code of the project: its build, tests, linters or scripts
	Found                             // has an unknown part that is a path below the folder before it, as find prints it
	PlainRead                         // gets a short address of a public host, without data or credentials; or is a tool or program that only looks
)

var traitNames = [...]string{
	"recursive", "force", "bulk", "remote-code", "decoded-code", "unseen-code", "exfiltration", "privilege",
	"irreversible", "obfuscated", "self-tamper", "unknown", "inert", "carries-secret", "from-network", "remote-shell",
	"persistence", "production", "resource-bomb", "world-writable", "setuid", "plain-http", "raw-ip", "metadata",
	"hidden-text", "protected-branch", "truncate", "append", "format", "listen", "upload", "download",
	"untrusted-source", "global", "runs-program", "loads-code", "bypass-flags", "public-access", "no-where",
	"audit-tamper", "nested-agent", "message", "payment", "mutate", "destroy", "skips-check", "env-dump", "tunnel",
	"whole-tree", "overwrite", "remote", "data-store", "container", "host-access", "loosened", "ownership",
	"permissions", "filtered", "uncommitted", "interactive", "described", "project-code", "found",
	"plain-read",
}

// Has reports whether all of u are in t.
func (t Trait) Has(u Trait) bool { return t&u == u }

// Names returns the names of the traits in t.
func (t Trait) Names() []string { return setNames(uint64(t), traitNames[:]) }

// String returns the names, separated by commas.
func (t Trait) String() string { return strings.Join(t.Names(), ",") }

// MarshalText implements encoding.TextMarshaler.
func (t Trait) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Trait) UnmarshalText(b []byte) (err error) {
	*t, err = parseSet(string(b), ParseTrait)
	return err
}

// ParseTrait reads one trait's name.
func ParseTrait(s string) (Trait, error) { return parseMember[Trait](traitNames[:], "trait", s) }

// Place is a set of classes of paths. A pattern names one with @, as in delete(@home).
type Place uint64

// The places.
const (
	PlaceRoot          Place = 1 << iota // `/`, or a drive
	PlaceSystem                          // a system folder or anything in it: `/etc`, `/usr`, `/boot`, `/System`, `C:\Windows`
	PlaceSystemTop                       // a system folder itself, directly below the root
	PlaceHome                            // a home folder itself
	PlaceHomeTop                         // an entry directly in a home folder
	PlaceInHome                          // anything in a home folder
	PlaceParent                          // a folder that contains the workspace, or one outside of it that contains the working directory
	PlaceWorkspace                       // the workspace's root, or everything in it
	PlaceInWorkspace                     // anything in the workspace
	PlaceGenerated                       // build output, dependencies, caches of a project
	PlaceTemp                            // below a temporary folder, but not in a home or workspace that is there
	PlaceOutside                         // in neither workspace nor temporary folders
	PlaceGitDir                          // `.git`, or what it needs to work
	PlaceGitHooks                        // programs that git runs, and its configuration
	PlaceDevice                          // a disk or other raw device
	PlaceNull                            // harmless devices: `/dev/null`, zero, stdout, tty
	PlaceCredentials                     // private keys, password stores, cloud and registry credentials, shadow
	PlacePrivate                         // files that may hold secrets or private data: `.env`, cluster configuration, mailboxes
	PlaceEnvFile                         // `.env` and its variants, without examples and samples
	PlaceStartup                         // shell start-up files and profiles
	PlaceLogin                           // login keys and rules: `authorized_keys`, sshd, PAM
	PlaceAccounts                        // accounts of the system: passwd, shadow, group, sudoers
	PlaceJobs                            // scheduled jobs and services: cron, systemd, launchd, autostart
	PlaceLoader                          // files that load code into programs: `ld.so.preload`, `.pth`, sitecustomize
	PlaceAgentConfig                     // coding agents' settings, hooks and plugins
	PlaceAgentRules                      // texts that coding agents obey: CLAUDE.md, AGENTS.md, commands, agents, skills, rules
	PlaceMCP                             // configuration of tool servers: `.mcp.json`
	PlaceUmpire                          // umpire's policy, state, cache and programs
	PlaceLog                             // system logs and the audit trail
	PlaceHistory                         // shell histories, and agents' transcripts
	PlacePackageConfig                   // sources of packages: `.npmrc`, `pip.conf`
	PlaceEditorConfig                    // tasks and settings that an editor runs
	PlaceCI                              // workflows that run elsewhere with secrets
	PlaceResolver                        // hosts, resolv.conf, CA stores
	PlaceBoot                            // boot loader, initramfs, EFI
	PlaceTrash                           // the desktop's trash
	PlaceCache                           // caches outside the project
	PlaceProc                            // controls below `/proc` and `/sys`
	PlaceSocket                          // control sockets, such as `docker.sock`
	PlaceRelative                        // a path whose folder is unknown
	PlaceAgentHooks                      // the user's settings that name agents' hooks, and the folders that hold them
	PlaceAgentState                      // an agent's working files: plans, todos, jobs, memory, scratch files
	PlaceWorktree                        // in a working tree of the project beside the workspace: `proj.worktrees/x`, `proj__worktrees/x`
	PlaceMade                            // for deletes: made by this session, with everything in it, or a file that git restores
	PlaceSource                          // a source file or text of another project in the home folder; for deletes, files of the project that people write, found by a search
)

var placeNames = [...]string{
	"root", "system", "system-top", "home", "home-top", "in-home", "parent", "workspace", "in-workspace", "generated",
	"temp", "outside", "git-dir", "git-hooks", "device", "null", "credentials", "private", "env-file", "startup", "login",
	"accounts", "jobs", "loader", "agent-config", "agent-rules", "mcp", "umpire", "log", "history", "package-config",
	"editor-config", "ci", "resolver", "boot", "trash", "cache", "proc", "socket", "relative",
	"agent-hooks", "agent-state",
	"worktree", "made", "source",
}

// Has reports whether all of q are in p.
func (p Place) Has(q Place) bool { return p&q == q }

// Names returns the names of the places in p.
func (p Place) Names() []string { return setNames(uint64(p), placeNames[:]) }

// String returns the names, separated by commas.
func (p Place) String() string { return strings.Join(p.Names(), ",") }

// MarshalText implements encoding.TextMarshaler.
func (p Place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Place) UnmarshalText(b []byte) (err error) {
	*p, err = parseSet(string(b), ParsePlace)
	return err
}

// ParsePlace reads one place's name, without the @.
func ParsePlace(s string) (Place, error) { return parseMember[Place](placeNames[:], "place", s) }

// parseMember returns the set of one member, what, with the name s.
func parseMember[T ~uint64](names []string, what, s string) (T, error) {
	if i := slices.Index(names, s); i >= 0 {
		return 1 << i, nil
	}
	return 0, fmt.Errorf("unknown %s %q: use one of %s", what, s, strings.Join(names, ", "))
}

// parseSet reads names, separated by commas.
func parseSet[T ~uint64](s string, parse func(string) (T, error)) (set T, err error) {
	for n := range strings.SplitSeq(s, ",") {
		if n == "" {
			continue
		}
		one, err := parse(n)
		if err != nil {
			return set, err
		}
		set |= one
	}
	return set, nil
}

func setNames(set uint64, names []string) []string {
	var out []string
	for ; set != 0; set &= set - 1 {
		if i := bits.TrailingZeros64(set); i < len(names) {
			out = append(out, names[i])
		}
	}
	return out
}
