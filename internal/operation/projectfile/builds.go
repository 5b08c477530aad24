package projectfile

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/classify"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// gradleTasks runs the commands in Gradle's build scripts: those outside of tasks, and those of
// tasks that are wanted or that others depend on.
func gradleTasks(c *command.Call) {
	names := []string{"~/.gradle/init.gradle", "~/.gradle/init.gradle.kts"}
	if w, ok := command.ConfigValue(c, "-I", "--init-script"); ok {
		names = append(names, w)
	}
	scripts := []string{"settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts", "buildSrc/build.gradle", "buildSrc/build.gradle.kts"}
	names = append(names, c.Present(".", scripts)...)
	for _, w := range command.FilesOf(c, command.Lit("buildSrc/src/main/groovy/*.groovy")) { // classes that the scripts may use
		names = append(names, w.Text)
	}
	for i := 0; i < len(names); i++ {
		if i >= command.MaxFolders {
			c.Beyond(names[i])
			break
		}
		f, _ := c.StartedFile(names[i])
		for _, n := range append(gradleApplied(f.Text), gradleProjects(c, f)...) {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		f.Text = gradleScript(c, f)
		f.RunAs("groovy", command.Run{Scan: !f.Own})
	}
	wrapperSource(c, "gradle/wrapper/gradle-wrapper.properties", "services.gradle.org", "downloads.gradle.org")
}

// gradleProjects returns the build scripts of all projects that a settings file includes.
func gradleProjects(c *command.Call, f command.Started) (files []string) {
	if !strings.HasPrefix(f.Name, "settings.gradle") {
		return nil
	}
	for line := range strings.Lines(f.Text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "include")
		if !ok {
			continue
		}
		for _, p := range command.QuotedWords(rest) {
			dir := strings.Trim(strings.ReplaceAll(p, ":", "/"), "/")
			for _, n := range c.Present(dir, []string{"build.gradle", "build.gradle.kts"}) {
				files = append(files, path.Join(dir, n))
			}
		}
	}
	return files
}

// gradleApplied returns the files that a script applies: apply from: "x", apply(from = "x").
func gradleApplied(text string) (files []string) {
	for line := range strings.Lines(text) {
		_, rest, ok := strings.Cut(line, "from")
		if !ok || !strings.Contains(line, "apply") {
			continue
		}
		rest = strings.TrimLeft(rest, " :=")
		for _, before := range [...]string{"file(", "rootProject.file(", "project.file("} {
			rest = strings.TrimPrefix(rest, before)
		}
		for _, n := range command.QuotedWords(rest) {
			n = strings.NewReplacer("$rootDir/", "", "${rootDir}/", "", "$projectDir/", "", "${projectDir}/", "").Replace(n)
			if !strings.Contains(n, "://") {
				files = append(files, n)
			}
		}
	}
	return files
}

// wrapperSource records where a build tool's wrapper fetches the tool, unless that is one of the
// tool's official hosts. The adversary is a project whose wrapper downloads another program.
func wrapperSource(c *command.Call, name string, hosts ...string) {
	if !strings.HasSuffix(c.Program, "w") {
		return
	}
	f, _ := c.StartedFile(name)
	for key, value := range command.Settings(f.Text) {
		if key = strings.TrimPrefix(key, "."); key != "distributionurl" && key != "distributionUrl" && key != "wrapperUrl" {
			continue
		}
		w := command.Lit(strings.ReplaceAll(value, `\`, ""))
		if u, err := url.Parse(w.Text); err == nil && !slices.Contains(hosts, u.Hostname()) {
			command.Packages(c, "run", []command.Word{w}, command.PackageSource(c, w))
		}
	}
}

// gradleScript runs the commands and deletions in one script, and returns the lines that run. It
// leaves out tasks that nothing reaches, unless this command line wrote the script.
func gradleScript(c *command.Call, f command.Started) string {
	var reached strings.Builder
	task, depth, base := "", 0, 0
	home := strings.NewReplacer("${System.getProperty('user.home')}", "~", `${System.getProperty("user.home")}`, "~", "${System.getenv('HOME')}", "~", `${System.getenv("HOME")}`, "~", "${System.env.HOME}", "~", `System.getProperty("user.home") + "`, `"~`, "System.getProperty('user.home') + '", "'~", `System.getenv("HOME") + "`, `"~`, "$rootDir", ".", "${rootDir}", ".", "$projectDir", ".", "$buildDir", "build", "${buildDir}", "build")
	for i, line := range strings.Split(f.Text, "\n") {
		s := home.Replace(strings.TrimSpace(line))
		if strings.HasPrefix(s, "//") {
			continue
		}
		if name := gradleTask(s); name != "" {
			task, base = name, depth
		}
		wanted := task == "" || gradleReaches(c, f.Text, task)
		if wanted || f.Own {
			reached.WriteString(line + "\n")
		}
		if wanted {
			for _, key := range []string{"commandLine", "executable"} {
				_, rest, ok := strings.Cut(s, key)
				if !ok {
					continue
				}
				rest = strings.TrimLeft(rest, " (=")
				rest = strings.TrimPrefix(strings.TrimPrefix(rest, "listOf("), "arrayOf(")
				if words := command.QuotedWords(rest); len(words) > 0 {
					if _, args, ok := strings.Cut(f.Text[strings.Index(f.Text, line):], "args"); ok && key == "executable" {
						words = append(words, command.QuotedWords(strings.TrimLeft(args, " (="))...)
					}
					f.Exec(i+1, words, command.Run{})
				}
			}
			_, rest, ok := strings.Cut(s, "delete(")
			if !ok {
				_, rest, ok = strings.Cut(" "+s, " delete ")
			}
			if ok {
				for _, w := range command.QuotedWords(rest) {
					f.Exec(i+1, []string{"rm", "-rf", w}, command.Run{})
				}
			}
		}
		depth += strings.Count(s, "{") - strings.Count(s, "}")
		if task != "" && depth <= base && strings.Contains(s, "}") {
			task = ""
		}
	}
	return reached.String()
}

// gradleTask returns the name of the task that a line defines, or "".
func gradleTask(s string) string {
	for _, head := range []string{"task ", "task(", "tasks.register", "tasks.create", "register<", "create<"} {
		i := strings.Index(s, head)
		if i < 0 || i > 0 && head == "task " {
			continue
		}
		rest := s[i+len(head):]
		if j := strings.IndexAny(rest, `"'`); j >= 0 && (head[0] != 't' || head != "task ") {
			if words := command.QuotedWords(rest[j:]); len(words) > 0 {
				return words[0]
			}
		}
		name, _, _ := strings.Cut(strings.TrimLeft(rest, " "), "(")
		name, _, _ = strings.Cut(name, " ")
		return strings.Trim(name, `"'{`)
	}
	return ""
}

// gradleReaches reports whether the call names a task, or another task depends on it.
func gradleReaches(c *command.Call, text, task string) bool {
	if slices.ContainsFunc(c.Operands, func(w command.Word) bool { return w.Text[strings.LastIndexByte(w.Text, ':')+1:] == task }) {
		return true
	}
	for line := range strings.SplitSeq(text, "\n") {
		for _, key := range []string{"dependsOn", "finalizedBy", "defaultTasks"} {
			if _, rest, ok := strings.Cut(line, key); ok && slices.Contains(strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(` "'(),=+[]:`, r) }), task) {
				return true
			}
		}
	}
	return false
}

// mavenTasks runs the commands that the plugins of a Maven build have for its phases.
func mavenTasks(c *command.Call) {
	name := "pom.xml"
	if w, ok := c.Opt("-f"); ok && w.Known() {
		name = w.Text
	}
	wrapperSource(c, ".mvn/wrapper/maven-wrapper.properties", "repo.maven.apache.org", "repo1.maven.org", "archive.apache.org", "dlcdn.apache.org")
	goal := false
	for _, w := range c.Operands {
		goal = goal || strings.HasPrefix(w.Text, "exec:") || strings.HasPrefix(w.Text, "antrun:")
	}
	seen := map[string]bool{}
	var project func(name string)
	project = func(name string) {
		if seen[name] {
			return
		}
		if len(seen) >= command.MaxFolders {
			c.Beyond(name)
			return
		}
		seen[name] = true
		files := []string{name, path.Join(name, "pom.xml")}
		if len(c.SomeNames(command.Lit(name))) > 0 { // a folder
			files = files[1:]
		}
		f, ok := c.StartedFile(files...)
		if !ok {
			return
		}
		mavenPlugins(f, goal)
		if strings.Contains(f.Text, "<!DOCTYPE") { // its entities can hold the marks of comments, or names
			c.Beyond(f.Name)
		}
		for _, part := range strings.Split(uncommented(f.Text), "<module")[1:] { // <module>NAME</module>, also in profiles
			attributes, module, _ := strings.Cut(part, ">")
			if attributes != "" && strings.Trim(attributes[:1], " \t\r\n") != "" { // <modules>
				continue
			}
			module, _, _ = strings.Cut(module, "<")
			if module = path.Join(path.Dir(f.Name), strings.TrimSpace(module)); mavenBuilds(c, path.Dir(name), module) {
				project(module)
			}
		}
	}
	project(name)
}

// mavenBuilds reports whether a call may build a module: all modules, or with -pl the named ones,
// those around them and those in them.
func mavenBuilds(c *command.Call, root, module string) bool {
	if c.Has("-N") {
		return false
	}
	chosen := c.All("-pl")
	if len(chosen) == 0 || c.Has("-am", "-amd") {
		return true
	}
	for _, w := range chosen {
		for p := range strings.SplitSeq(w.Text, ",") {
			if p = strings.TrimSpace(p); !w.Known() || strings.ContainsAny(p, ":!?+$") || strings.HasPrefix(p, "-") { // a name, or all but some
				return true
			}
			for _, dir := range [...]string{path.Clean(p), path.Join(root, p)} {
				dir = strings.TrimSuffix(dir, "/pom.xml") + "/"
				if strings.HasPrefix(module+"/", dir) || strings.HasPrefix(dir, module+"/") {
					return true
				}
			}
		}
	}
	return false
}

// uncommented returns an XML text without its comments. Of data that could look like them, or like
// an element, it keeps the words.
func uncommented(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<")
		b.WriteString(before)
		switch {
		case !ok:
			return b.String()
		case strings.HasPrefix(rest, "!--"):
			_, s, _ = strings.Cut(rest[len("!--"):], "-->")
		case strings.HasPrefix(rest, "![CDATA["):
			before, s, _ = strings.Cut(rest[len("![CDATA["):], "]]>")
			b.WriteString(strings.ReplaceAll(before, "<", " "))
		case strings.HasPrefix(rest, "?"):
			_, s, _ = strings.Cut(rest, "?>")
		default:
			b.WriteByte('<')
			s = rest
		}
	}
}

// mavenPlugins runs the commands of the plugins in a pom.xml.
func mavenPlugins(f command.Started, goal bool) {
	line := 1
	rest := f.Text
	for range 64 {
		at := strings.Index(rest, "<plugin>")
		if at < 0 {
			return
		}
		line += strings.Count(rest[:at], "\n")
		plugin, after, _ := strings.Cut(rest[at:], "</plugin>")
		if goal || strings.Contains(plugin, "<phase>") {
			if cmd := element(plugin, "executable"); cmd != "" {
				words := []string{cmd}
				for args := plugin; ; {
					_, more, ok := strings.Cut(args, "<argument>")
					if !ok || len(words) > 256 {
						break
					}
					v, next, _ := strings.Cut(more, "</argument>")
					words, args = append(words, plainXML(v)), next
				}
				f.Exec(line, words, command.Run{})
			}
			antTasks(f, line, plugin)
			for _, name := range [...]string{"script", "source"} { // of plugins for Groovy
				if text := element(plugin, name); text != "" && (strings.Contains(plugin, "groovy") || strings.Contains(plugin, "gmaven")) {
					f.Call.Script("groovy", command.Stream{Text: strings.TrimSuffix(strings.TrimPrefix(text, "<![CDATA["), "]]>"), Seen: true, Taint: f.Taint}, f.At(line, command.Run{}))
				}
			}
		}
		line += strings.Count(plugin, "\n")
		rest = after
	}
}

// antTasks runs the exec and delete tasks of Ant in an XML text that begins at a line.
func antTasks(f command.Started, line int, text string) {
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			return
		}
		line += strings.Count(text[:i], "\n")
		text = text[i:]
		tag, rest, _ := strings.Cut(text, ">")
		switch {
		case strings.HasPrefix(tag, "<exec "):
			words := []string{attribute(tag, "executable")}
			inner, _, _ := strings.Cut(rest, "</exec>")
			for ok := !strings.HasSuffix(tag, "/"); ok; {
				var arg string
				if _, arg, ok = strings.Cut(inner, "<arg "); ok {
					arg, inner, _ = strings.Cut(arg, ">")
					if v := attribute(arg, "value"); v != "" {
						words = append(words, v)
					}
					words = append(words, splitText(f.Call, attribute(arg, "line"))...)
				}
			}
			if words[0] != "" {
				f.Exec(line, words, command.Run{})
			}
		case strings.HasPrefix(tag, "<delete"):
			dir := cmp.Or(attribute(tag, "dir"), attribute(tag, "file"))
			if inner, _, ok := strings.Cut(rest, "</delete>"); ok && dir == "" {
				_, set, _ := strings.Cut(inner, "<fileset")
				set, _, _ = strings.Cut(set, ">")
				dir = attribute(set, "dir")
			}
			if dir != "" {
				f.Exec(line, []string{"rm", "-rf", strings.NewReplacer("${user.home}", "~", "${basedir}", ".", "${project.basedir}", ".", "${project.build.directory}", "target").Replace(dir)}, command.Run{})
			}
		}
		line += strings.Count(tag, "\n")
		text = text[min(len(tag)+1, len(text)):]
	}
}

// element returns the text of the first XML element with that name, or "".
func element(text, name string) string {
	_, rest, ok := strings.Cut(text, "<"+name+">")
	if !ok {
		return ""
	}
	v, _, _ := strings.Cut(rest, "</")
	return plainXML(v)
}

// attribute returns the value of an attribute in an XML tag, or "".
func attribute(tag, name string) string {
	_, rest, ok := strings.Cut(tag, name+"=")
	if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	v, _, _ := strings.Cut(rest[1:], rest[:1])
	return plainXML(v)
}

// plainXML replaces the entities of XML, and the folder variables of Maven and Ant, in a text.
func plainXML(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&", "${user.home}", "~", "${project.basedir}", ".", "${basedir}", ".").Replace(strings.TrimSpace(s))
}

// preCommitHooks runs the local hooks in the configuration of pre-commit, for one stage or, if
// stage is "", for all.
func preCommitHooks(c *command.Call, stage string) {
	name := ".pre-commit-config.yaml"
	if w, ok := command.ConfigValue(c, "-c", "--config"); ok {
		name = w
	}
	f, _ := c.StartedFile(name, ".pre-commit-config.yml")
	for _, repo := range f.Tree(datafile.YAML).Get("repos").List() {
		if repo.Str("repo") != "local" {
			continue
		}
		for _, h := range repo.Get("hooks").List() {
			entry := h.Get("entry")
			stages := h.Get("stages").Texts()
			if entry == nil || stage != "" && len(stages) > 0 && !slices.Contains(stages, stage) && !slices.Contains(stages, strings.TrimPrefix(stage, "pre-")) {
				continue
			}
			switch lang := h.Str("language"); lang {
			case "fail", "pygrep", "docker_image", "docker":
			default:
				f.Run(entry.Line, entry.Text+command.Quote("", command.Lits(h.Get("args").Texts()...)), command.Run{})
			}
		}
	}
}

// lefthook runs the commands and scripts that lefthook's configuration has for a hook.
func lefthook(c *command.Call, hook string) {
	for _, n := range []string{"lefthook", ".lefthook", "lefthook-local"} {
		for _, ext := range []string{".yml", ".yaml", ".toml", ".json"} {
			f, _ := c.StartedFile(n + ext)
			t := f.Tree(command.SettingsReader(n+ext, f.Text)).Get(hook)
			run := func(v *datafile.Value) {
				if r := v.Get("run"); r != nil {
					f.Run(r.Line, strings.NewReplacer("{staged_files}", "", "{all_files}", "", "{push_files}", "", "{files}", "", "{0}", "", "{1}", "").Replace(r.Text), command.Run{})
				}
			}
			t.Get("commands").Each(func(_ string, v *datafile.Value) { run(v) })
			for _, j := range t.Get("jobs").List() {
				run(j)
				for _, k := range j.Get("group", "jobs").List() {
					run(k)
				}
			}
			t.Get("scripts").Each(func(name string, v *datafile.Value) {
				file := path.Join(".lefthook", hook, name)
				words := strings.Fields(cmp.Or(v.Str("runner"), "sh"))
				f.Exec(v.Line, append(words, file), command.Run{})
			})
		}
	}
}

// doBuild reads the tasks of a build tool, and whether they publish the result.
func doBuild(c *command.Call) {
	switch {
	case c.Inert():
	case strings.HasPrefix(c.Program, "gradle"):
		gradleTasks(c)
	case strings.HasPrefix(c.Program, "mv") || c.Program == "maven":
		mavenTasks(c)
	case c.Program == "ant":
		if f, ok := c.StartedFile("build.xml"); ok {
			antTasks(f, 1, f.Text)
		}
	}
	for _, w := range c.Operands {
		if classify.PublishTask(w.Text) {
			command.Packages(c, "publish", []command.Word{w}, umpire.Upload|umpire.Mutate)
		}
		if strings.HasPrefix(w.Text, "exec:") || strings.Contains(w.Text, "exec-maven-plugin") {
			c.Op(umpire.Exec, command.Quote(c.Program, c.Args), umpire.RunsProgram)
		}
	}
}

func doCmake(c *command.Call) {
	if i := slices.IndexFunc(c.Args, func(w command.Word) bool { return w.Text == "-E" }); i >= 0 { // a portable command, such as cmake -E rm
		ops := c.Args[i+1:] // with options, which are those of the command
		if len(ops) == 0 {
			return
		}
		switch ops[0].Text {
		case "rm", "remove", "remove_directory":
			for _, w := range ops[1:] {
				if !strings.HasPrefix(w.Text, "-") {
					c.Delete(w, umpire.Recursive|umpire.Force)
				}
			}
		case "copy", "copy_if_different", "copy_directory", "rename", "touch", "create_symlink":
			name := map[byte]string{'c': "cp", 'r': "mv", 't': "touch"}[ops[0].Text[0]]
			c.Exec(append(command.Lits(name), ops[1:]...), command.Run{})
		case "env", "time":
			a := ops[1:]
			for len(a) > 0 && (strings.Contains(a[0].Text, "=") || strings.HasPrefix(a[0].Text, "-")) {
				a = a[1:]
			}
			c.Exec(a, command.Run{Out: true})
		case "chdir":
			if len(ops) > 2 {
				c.Exec(ops[2:], command.Run{Dir: &ops[1], Out: true})
			}
		}
	}
}
