package command

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command/wording"
)

func doNothing(*Call) {}

// doComposeNone reads compose commands that are everyday work on this machine.
func doComposeNone(c *Call) {
	if v := c.Arg(0).Text; (v == "config" || v == "convert") && !c.Has("-q", "--quiet", "--services", "--images", "--volumes", "--profiles", "--networks", "--models", "--hash", "--no-interpolate", "-o", "--output") {
		c.reveals("environment") // it prints the values of .env
	}
	if len(c.Operands) > 0 && c.farEngine() {
		switch v := c.Operands[0].Text; v {
		case "stop", "pull", "build", "pause", "unpause", "scale":
			c.engine(v, "compose", nil, umpire.Mutate)
		}
	}
}

// doComposeFar records a verb that is everyday work on this machine, but changes another one.
func doComposeFar(c *Call) {
	if c.farEngine() {
		c.engine(c.Name[strings.LastIndexByte(c.Name, ' ')+1:], "compose", nil, umpire.Mutate)
	}
}

// doComposeUp reads the start of services, which run the commands of their compose file.
func doComposeUp(c *Call) {
	doComposeFar(c)
	composeServices(c)
}

// engine records an operation on objects of a container engine. It is Remote if the engine runs on
// another machine.
func (c *Call) engine(verb, noun string, names []Word, t umpire.Trait) {
	if c.farEngine() {
		t |= umpire.Remote
	}
	c.infra(verb, []string{noun}, shown(names), t)
}

// farEngine reports whether a variable or an option before the sub-command names the engine of
// another machine.
func (c *Call) farEngine() bool {
	hosts := slices.Concat(c.Global("-H"), c.Global("--url"))
	if h, ok := c.Var("DOCKER_HOST"); ok {
		hosts = append(hosts, h)
	}
	for _, h := range hosts {
		if h.Text != "" && !strings.HasPrefix(h.Text, "unix:") && !strings.HasPrefix(h.Text, "npipe:") && !strings.HasPrefix(h.Text, "/") {
			return true
		}
	}
	contexts := slices.Concat(c.Global("-c"), c.Global("--connection"))
	if w, ok := c.Var("DOCKER_CONTEXT"); ok {
		contexts = append(contexts, w)
	}
	contexts = append(contexts, c.Defined(engineContext)...)
	for _, w := range contexts {
		switch w.Text {
		case "", "default", "desktop-linux", "desktop-windows", "colima", "orbstack", "rancher-desktop", "podman-machine-default":
		default:
			return true
		}
	}
	return false
}

// engineContext is the key under which a command line remembers the contexts that it selects.
const engineContext = "engine context"

// hostPath records the mount of a host folder that gives a container control of the machine or
// access to secrets.
func (c *Call) hostPath(w Word) {
	text := w.Text
	if !strings.ContainsAny(text, "/~.") && !strings.Contains(text, umpire.Hole) {
		return // a named volume
	}
	abs, p := c.Path(w)
	const deep = umpire.PlaceRoot | umpire.PlaceSystemTop | umpire.PlaceHome | umpire.PlaceCredentials | umpire.PlaceAccounts | umpire.PlaceLogin | umpire.PlaceSocket | umpire.PlaceBoot | umpire.PlaceDevice | umpire.PlaceParent | umpire.PlaceUmpire | umpire.PlaceAgentConfig
	socket := strings.HasSuffix(abs, ".sock") && anyof.Contains(abs, "docker", "podman", "containerd", "crio")
	if anyof.Equal(abs, "/etc/localtime", "/etc/timezone", "/etc/ssl", "/etc/ssl/certs", "/usr/share/zoneinfo", "/dev/null", "/etc/resolv.conf", "/tmp", "/opt", "/srv", "/mnt", "/media", "/lib/modules") {
		return
	}
	if p&umpire.PlaceInWorkspace != 0 && p&(umpire.PlaceCredentials|umpire.PlaceSocket) == 0 {
		return
	}
	if p&deep != 0 || socket || abs == "/" || abs == "/etc" || abs == "/root" || abs == "/home" || abs == "/var" || abs == "/var/run" || abs == "/run" || abs == "/proc" || abs == "/sys" || abs == "/dev" {
		c.engine("mount-host", abs, nil, umpire.HostAccess)
	}
}

// doContainerRun reads the host folders and rights of a new container, and then the command that
// runs in it.
func doContainerRun(c *Call) {
	if strings.HasSuffix(c.Name, " create") || c.Has("-d") {
		defer c.SetOut(Text(newContainer + "\n"))
	}
	mounts := c.mounts()
	image := c.Arg(0)
	c.address(image)
	c.containerRights(image)
	for _, w := range c.All("--env-file") { // .env files of the project are what the option is for
		if _, p := c.Path(w); p&umpire.PlaceEnvFile == 0 {
			c.ReadFile(w)
		}
	}
	if c.Name == "docker create" || c.Inert() {
		return
	}
	own := c.sharesNothing(apart + served)
	if w, ok := c.Opt("--name"); ok && own && w.Known() {
		c.Define(madeContainer+w.Text, w)
	}
	switch {
	case own:
		c.publishes()
		c.Define(newContainer, image)
	default:
		c.Define(newContainer, Lit(otherContainers))
	}
	args := c.Operands[min(1, len(c.Operands)):]
	if e, ok := c.Opt("--entrypoint"); ok && e.Text != "" {
		args = append([]Word{e}, args...)
	} else {
		args = withTool(image, args)
	}
	if len(args) == 0 || strings.HasPrefix(args[0].Text, "-") {
		return
	}
	c.Exec(args, Run{Traits: umpire.Container, Mounts: mounts, Dir: dirOf(c, "-w"), Env: c.All("-e"), Out: !c.Has("-d"), Fresh: c.freshContainer(), Throwaway: own, Alone: c.mayRunAnything()})
}

// imageTool returns the program that an image is named after: terraform for hashicorp/terraform:1.9.
// Such an image usually has that program as its entry point, so a run gives it only arguments.
func imageTool(image Word) string {
	name, _, _ := strings.Cut(image.Text, "@")
	name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ":")
	name = strings.TrimSuffix(name, "-cli")
	if m := Lookup(name); m == nil || m.guessed() {
		return ""
	}
	return name
}

// withTool returns the command that a container runs if its image, or its service, is named after a
// program and gets these arguments.
func withTool(image Word, args []Word) []Word {
	if tool := imageTool(image); tool != "" && len(args) > 0 && args[0].Text != tool && (strings.HasPrefix(args[0].Text, "-") || Lookup(args[0].Text) == nil) {
		return append([]Word{Lit(tool)}, args...)
	}
	return args
}

// containerRights records the rights on this machine that options give a new container.
func (c *Call) containerRights(image Word) {
	wide := c.given("--privileged")
	for _, w := range c.Args { // options that few know
		if anyof.HasPrefix(w.Text, "--rootfs", "--use-api-socket", "--device-cgroup-rule") {
			c.engine("mount-host", strings.TrimLeft(w.Text, "-"), nil, umpire.HostAccess)
		}
	}
	pidHost := c.ofHost("--pid") || c.ofHost("--userns")
	for _, w := range c.All("--cap-add") {
		if anyof.Equal(strings.TrimPrefix(strings.ToUpper(w.Text), "CAP_"), "ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_RAWIO", "DAC_READ_SEARCH", "SYS_PTRACE", "BPF", "NET_ADMIN") {
			wide = wide || w.Text != "NET_ADMIN" && w.Text != "SYS_PTRACE"
		}
	}
	for _, w := range c.All("--security-opt") {
		if strings.HasSuffix(w.Text, "unconfined") || strings.HasSuffix(w.Text, "disable") && strings.HasPrefix(w.Text, "label") {
			wide = wide || pidHost
		}
	}
	for _, w := range c.All("--device") {
		dev, _, _ := strings.Cut(w.Text, ":")
		if _, p := c.Path(w.With(dev)); p&umpire.PlaceDevice != 0 {
			c.engine("mount-host", dev, nil, umpire.HostAccess)
		}
	}
	switch {
	case wide && pidHost:
		c.engine("run", "privileged", []Word{image}, umpire.HostAccess|umpire.Loosened)
	case wide:
		c.engine("run", "privileged", []Word{image}, umpire.Loosened)
	}
}

// ofHost reports whether a container shares a namespace with the host.
func (c *Call) ofHost(option string) bool {
	v, _ := c.Opt(option)
	return v.Text == "host"
}

// mounts returns the folders of the machine that a container is given.
func (c *Call) mounts() (mounts []Mount) {
	add := func(host, inside Word, mode string) {
		if host.Known() && !strings.ContainsAny(host.Text, "/~.") && testVolume(host.Text) {
			return // what a volume for tests holds is no one's work
		}
		// A container that runs as the user needs names for the IDs. Everyone may read these files.
		if !anyof.Equal(host.Text, "/etc/passwd", "/etc/group") || !anyof.Listed("ro readonly", mode) {
			c.hostPath(host)
		}
		mounts = append(mounts, Mount{Host: host, Inside: strings.TrimRight(inside.Text, "/") + "/"})
	}
	for _, w := range c.All("-v") {
		src, rest, ok := strings.Cut(w.Text, ":")
		if ok && src != "" {
			dst, mode, _ := strings.Cut(rest, ":")
			add(w.With(src), w.With(dst), mode)
		}
	}
	for _, w := range c.All("--mount") {
		var src, dst, mode string
		bind := true
		for f := range strings.SplitSeq(w.Text, ",") {
			k, v, _ := strings.Cut(f, "=")
			switch k = strings.ToLower(k); k {
			case "source", "src":
				src = v
			case "target", "dst", "destination":
				dst = v
			case "type":
				bind = v == "bind"
			case "ro", "readonly", "rw", "readwrite": // the last one counts
				mode = ""
				if v == "" || v == "true" || v == "1" {
					mode = k
				}
			}
		}
		if bind && src != "" {
			add(w.With(src), w.With(dst), mode)
		}
	}
	return mounts
}

// madeContainer begins the key under which a command line remembers a container that it made. An
// engine refuses to make one that exists.
const madeContainer = Made + "container "

// newContainer stands for the ID that an engine prints for a new container, and is the key under
// which a command line remembers the images of such containers. otherContainers stands for one that
// shares something with others.
const newContainer, otherContainers = "new-container", "shared"

// isMade reports whether this command line made a container, so that nothing else uses its data.
// Without the container, its ID would be empty.
func (c *Call) isMade(container Word) bool {
	if container.Text == newContainer {
		images := c.Defined(newContainer)
		return len(images) > 0 && !slices.ContainsFunc(images, func(w Word) bool { return w.Text == otherContainers })
	}
	return len(c.Defined(madeContainer+container.Text)) > 0
}

// apart lists the options of a new container that give it nothing of the host, and served those
// that let others reach it or that keep it. Any other option may share something.
const (
	apart   = "--rm --name -e -w -u --entrypoint --platform --pull --network -q -t -i --init -h -l -m --memory-swap --cpus --cpu-shares -c --cpuset-cpus --pids-limit --ulimit --shm-size --tmpfs --read-only --cap-drop " + checked
	checked = "--no-healthcheck --health-cmd --health-interval --health-timeout --health-retries --health-start-period --stop-signal --stop-timeout --sig-proxy --expose "
	served  = "-d -p -P --restart --env-file --network-alias --add-host --dns --ip --log-driver --log-opt --detach-keys --gpus --sysctl --group-add --label-file --annotation --replace --no-hosts --tls-verify --mac-address --oom-score-adj"
)

// sharesNothing reports whether a new container of this machine has only the listed options and no
// network of others, so that the data of its programs goes with it.
func (c *Call) sharesNothing(options string) bool {
	w, ok := c.Opt("--network")
	return !c.farEngine() && (!ok || w.Text == "none") && !slices.ContainsFunc(c.opts, func(o setOption) bool { return !anyof.Listed(options, o.name) })
}

// mayRunAnything reports whether a command in a new container may even be code that nobody has read:
// the container is removed at its end, and nothing of the user goes in.
func (c *Call) mayRunAnything() bool {
	if slices.ContainsFunc(c.All("-e"), func(w Word) bool { return !strings.Contains(w.Text, "=") }) || HasText(c.Args, "--rm=false") {
		return false
	}
	return c.Has("--rm") && c.sharesNothing(apart) && c.freshContainer() && !c.Stdin.Pipe && !slices.ContainsFunc(c.Args, func(w Word) bool { return !w.Known() || w.Taint != 0 })
}

// freshContainer reports whether the environment of a new container comes only from its image and
// this command line, so that printing it shows no secret of the user.
func (c *Call) freshContainer() bool {
	for _, w := range c.Args {
		if name, _, _ := strings.Cut(w.Text, "="); name == "--env-file" || name == "--env-host" || name == "--secret" {
			return false
		}
	}
	return !slices.ContainsFunc(c.All("-e"), func(w Word) bool {
		name, _, given := strings.Cut(w.Text, "=")
		return !w.Known() || w.Taint != 0 || !given && (secretName(name) || KeyName(name))
	})
}

// doContainerExec reads a command in an existing container.
func doContainerExec(c *Call) {
	if len(c.Operands) > 1 {
		t := umpire.Container
		if c.farEngine() {
			t |= umpire.Remote
		}
		made := c.isMade(c.Operands[0])
		var mounts []Mount
		dir := dirOf(c, "-w")
		if strings.Contains(c.Name, "compose") { // its files may be the project's, but not its statements
			var own *Word
			if mounts, own = serviceFolders(c, c.Operands[0].Text); dir == nil {
				dir = own
			}
			mounts = append(c.mounts(), mounts...)
			made = c.testProject() && slices.ContainsFunc(storePorts[:], func(s storePort) bool { return anyof.Listed(s.clients, c.Operands[1].Text) })
		}
		c.Exec(c.Operands[1:], Run{Traits: t, Mounts: mounts, Dir: dir, Env: c.All("-e"), Out: true, Throwaway: made && !c.farEngine()})
	}
}

// doContainerRemove reads rm. Removing a stopped container is everyday work. Removing all
// containers, or one by force with its volumes, destroys data.
func doContainerRemove(c *Call) {
	t := umpire.Mutate
	if c.Has("-f") && c.Has("-v") && slices.ContainsFunc(c.Operands, func(w Word) bool { return !c.isMade(w) }) || c.Has("-a") || c.Has("-f") && manyContainers(c.Operands) {
		t |= umpire.Destroy | umpire.Bulk
	}
	c.engine("remove", "container", c.Operands, t)
}

func doContainerStop(c *Call) {
	t := umpire.Mutate
	picked := len(c.Operands) > 0 && !slices.ContainsFunc(c.Operands, func(w Word) bool { return w.Taint&Picked == 0 })
	if strings.HasSuffix(c.Name, "kill") && !picked || c.Has("-a") || manyContainers(c.Operands) {
		t |= umpire.Destroy
	}
	if strings.HasSuffix(c.Name, "restart") || strings.HasSuffix(c.Name, "pause") {
		t &^= umpire.Destroy
	}
	c.engine("stop", "container", c.Operands, t)
}

// manyContainers reports whether an operand may stand for all containers, as $(docker ps -aq) does.
// Output that a filter selected does not count.
func manyContainers(ops []Word) bool {
	return slices.ContainsFunc(ops, func(w Word) bool { return !w.Known() && w.Taint&Picked == 0 })
}

func doPrune(c *Call) {
	group := strings.Fields(c.Name)
	noun := group[len(group)-2]
	t := umpire.Mutate | umpire.Bulk
	switch {
	case noun == "volume" || c.Has("--volumes"):
		t |= umpire.Destroy | umpire.Irreversible | umpire.DataStore
	case c.Has("-a"), noun == "system":
		t |= umpire.Destroy
	}
	c.engine("prune", noun, nil, t)
}

// testVolume reports whether a volume is for tests, by its name or by the name of the compose
// project at its beginning, as in shop_test_data.
func testVolume(name string) bool {
	parts := strings.Split(name, "_")
	for i := 2; i < len(parts); i++ {
		if TestName(strings.Join(parts[:i], "_")) {
			return !production(name)
		}
	}
	return TestName(name)
}

func doEngineRemove(c *Call) {
	f := strings.Fields(c.Name)
	t := umpire.Mutate
	noun := "image"
	if len(f) > 2 {
		noun = f[1]
	}
	tests := len(c.Operands) > 0 && !slices.ContainsFunc(c.Operands, func(w Word) bool { return !w.Known() || !testVolume(w.Text) })
	if noun == "volume" && !tests || manyContainers(c.Operands) || c.Has("-a") {
		t |= umpire.Destroy
	}
	if noun == "volume" && (c.Has("-a") || manyContainers(c.Operands)) {
		t |= umpire.Irreversible | umpire.DataStore
	}
	c.engine("delete", noun, c.Operands, t)
}

func doEngineReset(c *Call) {
	c.engine("reset", "system", nil, umpire.Destroy|umpire.Irreversible|umpire.DataStore|umpire.Bulk)
}

// doEngine reads sub-commands without a Model of their own, by their verb.
func doEngine(c *Call) {
	f := strings.Fields(c.Name)
	if len(f) == 1 && len(c.Operands) > 0 {
		switch c.Operands[0].Text {
		case "push":
			doImagePush(c)
			return
		case "ps", "images":
			if c.Program != "ctr" && c.Program != "crictl" {
				doContainerList(c)
				return
			}
		case "commit", "pull", "tag", "load", "import", "start", "restart", "update", "rename", "stats", "top", "wait", "login", "logout", "attach":
			return
		}
		if c.Program == "ctr" || c.Program == "crictl" {
			if d := readPhrase(c.Operands); d.deed == wording.Destroys {
				c.infra("delete", d.words[:len(d.words)-1], d.rest, umpire.Destroy|umpire.Mutate)
			}
		}
		return
	}
	if len(f) < 2 || len(c.Operands) == 0 {
		return
	}
	noun := f[len(f)-1]
	if noun == "machine" && c.onMachine() {
		return
	}
	p := readPhrase(c.Operands)
	verb := c.Operands[0].Text
	switch {
	case noun == "context" && verb == "use" && len(c.Operands) > 1:
		c.Define(engineContext, c.Operands[1])
	case noun == "context" || noun == "plugin" && p.deed != wording.Destroys, noun == "manifest":
	case noun == "swarm" && verb == "leave":
		c.engine("leave", noun, nil, umpire.Destroy|umpire.Mutate)
	case p.deed == wording.Destroys:
		t := umpire.Destroy | umpire.Mutate
		if noun == "stack" || noun == "node" || noun == "machine" {
			t |= umpire.Irreversible
		}
		c.engine(verb, noun, p.rest, t)
	case p.deed == wording.Changes && noun != "pod" && noun != "machine":
		c.engine(verb, noun, p.rest, umpire.Mutate|umpire.Remote)
	}
}

// doImageBuild reads the secrets and the remote context that go into a build, and a push after it.
func doImageBuild(c *Call) {
	for _, w := range c.All("--build-arg") {
		if w.Taint&(FromSecret|FromEnv) != 0 {
			c.Net(Lit("image"), umpire.Upload, w.Taint)
		}
	}
	if c.Has("--push") {
		for _, w := range c.All("-t") {
			c.address(w)
		}
		c.engine("push", "image", c.All("-t"), umpire.Mutate|umpire.Upload)
	}
	for i, w := range c.Args { // --secret id=x,src=FILE
		value, ok := strings.CutPrefix(w.Text, "--secret")
		if !ok {
			continue
		}
		if value == "" && i+1 < len(c.Args) {
			value = c.Args[i+1].Text
		}
		c.buildSecret(value)
	}
	if w, ok := c.Opt("-o"); ok { // the files of the image
		unpack(c, destination(w), 0)
	}
	ctx := c.Arg(0)
	c.copiedSecrets(ctx.Text)
	if anyof.HasPrefix(ctx.Text, "http://", "https://", "git@", "git://") {
		c.Net(ctx, umpire.Download, 0)
	}
}

// copiedSecrets runs the steps of a Dockerfile that name a secret of the project which an earlier
// step copied into the image. Other steps do not reach this machine.
func (c *Call) copiedSecrets(dir string) {
	name, given := ConfigValue(c, "-f", "--file")
	if !given {
		name = path.Join(dir, "Dockerfile")
	}
	f, _ := c.StartedFile(name)
	var names []string // each name in the image, and the file
	for i, l := range strings.Split(strings.ReplaceAll(f.Text, "\\\n", "  "), "\n") {
		words := strings.Fields(l)
		switch {
		case len(words) == 3 && anyof.Equal(words[0], "COPY", "ADD"):
			file := path.Join(dir, words[1])
			if _, p := c.Path(Lit(file)); p&(umpire.PlaceEnvFile|umpire.PlaceCredentials) != 0 {
				names = append(names, words[2], file)
			}
		case len(names) > 0 && len(words) > 1 && words[0] == "RUN":
			if cmd := strings.NewReplacer(names...).Replace(l); cmd != l {
				f.Run(i+1, strings.TrimSpace(cmd)[len("RUN"):], Run{})
			}
		}
	}
}

// buildSecret reads the file of a secret that a build gets: id=x,src=FILE.
func (c *Call) buildSecret(value string) {
	for part := range strings.SplitSeq(value, ",") {
		if key, file, ok := strings.Cut(part, "="); ok && anyof.Equal(key, "src", "source") {
			w := Lit(strings.Replace(file, "${HOME}", "~", 1))
			if _, p := c.Path(w); p&umpire.PlaceInWorkspace == 0 {
				c.ReadFile(w)
			}
		}
	}
}

// BakeSecrets reads the secrets in the files of docker buildx bake, and the rights that an option
// gives them.
func BakeSecrets(c *Call) {
	if v, ok := ConfigValue(c, "--allow"); ok { // files of this machine, its network, or rights of root
		c.engine("run", "privileged", Lits(v), umpire.Loosened)
	}
	names := []string{"docker-bake.hcl", "docker-bake.json", "docker-bake.override.hcl"}
	if v, ok := ConfigValue(c, "-f", "--file"); ok {
		names = []string{v}
	}
	for _, n := range names {
		f, _ := c.StartedFile(n)
		for i, text := range strings.Split(f.Text, `"`) {
			if i%2 == 1 && strings.HasPrefix(text, "id=") {
				c.buildSecret(text)
			}
		}
	}
}

func doImagePush(c *Call) {
	ops := c.Operands
	if len(ops) > 0 && ops[0].Text == "push" {
		ops = ops[1:]
	}
	if len(ops) == 1 && !c.farEngine() && localImage(ops[0]) {
		return
	}
	for _, w := range ops {
		c.address(w)
	}
	c.engine("push", "image", ops, umpire.Mutate|umpire.Upload)
}

// localImage reports whether an image is in a registry on this machine.
func localImage(w Word) bool {
	registry, _, ok := strings.Cut(strings.TrimPrefix(w.Text, "docker://"), "/")
	return ok && w.Known() && strings.Contains(registry, ":") && parseAddress(registry).local()
}

// doContainerCopy reads a copy into a container or out of one.
func doContainerCopy(c *Call) {
	if len(c.Operands) < 2 {
		return
	}
	if src := c.Arg(0); !inContainer(src) && src.Text != "-" {
		c.ReadFile(src)
	}
	switch dst := c.Arg(1); {
	case inContainer(c.Arg(0)) && (dst.Text == "-" || dst.Text == "/dev/stdout"):
		_, file, _ := strings.Cut(c.Arg(0).Text, ":")
		c.Exec(append(Lits("cat"), c.Arg(0).With(file)), Run{Traits: umpire.Container, Out: true})
	case !inContainer(dst) && dst.Text != "-":
		deposit(c, c.Arg(0), dst, false, Unseen(0), 0)
	}
}

// inContainer reports whether an operand of cp names a file in a container or pod.
func inContainer(w Word) bool {
	return strings.IndexByte(w.Text, ':') > 0 && w.Text[0] != '/' && w.Text[0] != '.'
}

func doImageTool(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	switch v := c.Operands[0].Text; v {
	case "push", "copy", "cp", "sync", "append":
		if v == "copy" && len(c.Operands) > 2 && !strings.HasPrefix(c.Operands[2].Text, "docker://") {
			return
		}
		to := c.All("-t")
		if len(to) == 0 {
			to = c.Operands[len(c.Operands)-1:]
		}
		if !slices.ContainsFunc(to, func(w Word) bool { return !localImage(w) }) {
			return
		}
		c.infra("push", []string{"image"}, c.Operands[1:], umpire.Mutate|umpire.Upload)
	case "delete":
		c.infra("delete", []string{"image"}, c.Operands[1:], umpire.Destroy|umpire.Mutate)
	case "rm", "rmi":
		if c.Has("-a") {
			c.infra("delete", []string{"container"}, nil, umpire.Destroy|umpire.Mutate|umpire.Bulk)
		}
	case "run":
		if len(c.Operands) > 2 {
			c.Exec(c.wordsFrom(2), Run{Traits: umpire.Container, Out: true})
		}
	case "unshare": // runs as another user, on the same files
		c.Exec(c.wordsFrom(1), Run{Out: true})
	}
}

// doLXC reads managers of machines and system containers, which also run commands inside.
func doLXC(c *Call) {
	if len(c.Operands) == 0 {
		return
	}
	switch c.Operands[0].Text {
	case "exec", "shell", "ssh", "run":
		if c.Program == "orb" && c.onMachine() {
			return
		}
		machine := 2 // index of the command, after the verb and the machine
		if c.Program == "colima" {
			machine = 1
		}
		rest := c.wordsFrom(machine)
		for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
			rest = rest[1:]
		}
		if len(rest) > 0 { // a machine keeps its data; a container can be recreated from its image
			c.Exec(rest, Run{Traits: umpire.Container | umpire.Remote, Out: true, Mounts: c.machineMounts()})
		}
		return
	case "config":
		all := strings.Join(lowers(c.Operands), " ")
		if strings.Contains(all, "security.privileged") || strings.Contains(all, "device add") && strings.Contains(all, "source=/") {
			c.infra("mount-host", nil, c.Operands, umpire.Mutate|umpire.HostAccess)
		}
		return
	case "file", "push", "transfer":
		c.copiesOut(c.Operands[1:])
		return
	case "copy", "cp": // limactl copies files, lxc containers
		c.copiesOut(c.Operands[1:])
	}
	c.cloud(c.Operands)
}

// machineMounts returns the home folder, which Lima and Colima mount into their machines.
func (c *Call) machineMounts() []Mount {
	if !anyof.Equal(c.Program, "limactl", "colima") {
		return nil
	}
	home, _ := c.Path(Lit("~"))
	return []Mount{{Host: Lit(home), Inside: home}}
}

// doInspect reads inspect, which can print the environment of a container, and so its passwords.
func doInspect(c *Call) {
	if w, ok := c.Opt("-f"); ok && strings.Contains(w.Text, ".Env") {
		c.Taints(FromSecret)
		c.infra("reveal", []string{"environment"}, c.Operands, umpire.CarriesSecret)
	}
}
