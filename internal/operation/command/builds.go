package command

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// rakeTasks runs the code of a Rakefile outside of tasks, and the code of the wanted tasks and of
// the tasks that they depend on.
func rakeTasks(c *Call, want []string) {
	f, _ := c.startedFile("rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb")
	type task struct {
		needs []string
		body  string
	}
	text := f.Text
	for _, n := range rakeFiles(c, f.Text) {
		if more, ok := c.startedFile(n); ok {
			text += "\n" + more.Text
		}
	}
	tasks, outside := map[string]*task{}, ""
	var in *task
	indent := 0
	for _, line := range strings.Split(text, "\n") {
		s := strings.TrimSpace(line)
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case in != nil && depth <= indent && (s == "end" || s == "}"):
			in = nil
		case in != nil:
			in.body += rakeLine(s) + "\n"
		case anyof.HasPrefix(s, "task ", "file ", "task("):
			head, body, one := strings.Cut(s, "{")
			if !one {
				head, body, one = strings.Cut(s, " do ")
			}
			names := strings.FieldsFunc(head[5:], func(r rune) bool { return strings.ContainsRune(` :,=>[]()"'|{}`, r) })
			if len(names) == 0 || len(tasks) > maxTargets {
				continue
			}
			t := tasks[names[0]]
			if t == nil {
				t = &task{}
				tasks[names[0]] = t
			}
			t.needs = append(t.needs, names[1:]...)
			if one && (strings.HasSuffix(s, "}") || strings.HasSuffix(s, " end")) {
				t.body += rakeLine(strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(body, "}"), " end"))) + "\n"
			} else if one || strings.HasSuffix(s, " do") || strings.Contains(s, " do |") {
				in, indent = t, depth
			}
		default:
			outside += rakeLine(line) + "\n"
		}
	}
	if len(want) == 0 {
		want = []string{"default"}
	}
	done := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		if t := tasks[name]; t != nil && !done[name] {
			done[name] = true
			for _, n := range t.needs {
				visit(n)
			}
			outside += t.body
		}
	}
	for _, n := range want {
		n, _, _ = strings.Cut(n, "[")
		visit(n)
		visit(n[strings.LastIndexByte(n, ':')+1:])
	}
	f.Text = outside
	f.code("ruby", Run{})
}

// rakeFiles returns the task files that a Rakefile loads: those that it names, also by a pattern,
// and those in rakelib.
func rakeFiles(c *Call, text string) (files []string) {
	names := []string{"rakelib/*.rake"}
	if strings.Contains(text, "load_tasks") { // Rails
		names = append(names, "lib/tasks/*.rake")
	}
	for line := range strings.Lines(text) {
		for _, q := range [...]string{"'", `"`} {
			if parts := strings.Split(line, q); len(parts) > 2 && strings.HasSuffix(parts[1], ".rake") {
				names = append(names, strings.ReplaceAll(parts[1], "**/", ""))
			}
		}
	}
	for _, n := range names {
		if strings.Contains(n, "*") {
			for _, w := range FilesOf(c, Lit(n)) {
				files = append(files, w.Text)
			}
			continue
		}
		files = append(files, n)
	}
	return files
}

// rakeLine replaces a helper of rake at the beginning of a line by plain Ruby.
func rakeLine(s string) string {
	for _, w := range rakeWords {
		if rest, ok := strings.CutPrefix(s, w.name); ok && rest != "" && (rest[0] == ' ' || rest[0] == '(') {
			return w.ruby + rest
		}
	}
	return s
}

var rakeWords = [...]struct{ name, ruby string }{
	{"sh", "system"}, {"ruby", "system 'ruby', "}, {"rm_rf", "FileUtils.rm_rf"}, {"rm_r", "FileUtils.rm_r"}, {"rm", "FileUtils.rm"}, {"rm_f", "FileUtils.rm_f"}, {"rmtree", "FileUtils.rm_rf"},
}

// gradleTasks runs the commands in Gradle's build scripts: those outside of tasks, and those of
// tasks that are wanted or that others depend on.
func gradleTasks(c *Call) {
	names := []string{"~/.gradle/init.gradle", "~/.gradle/init.gradle.kts"}
	if w, ok := configValue(c, "-I", "--init-script"); ok {
		names = append(names, w)
	}
	scripts := []string{"settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts", "buildSrc/build.gradle", "buildSrc/build.gradle.kts"}
	names = append(names, c.present(".", scripts)...)
	for i := 0; i < len(names); i++ {
		if i >= maxFolders {
			c.beyond(names[i])
			break
		}
		f, _ := c.startedFile(names[i])
		for _, n := range append(gradleApplied(f.Text), gradleProjects(c, f)...) {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		f.Text = gradleScript(c, f)
		f.code("groovy", Run{Scan: !f.own})
	}
	wrapperSource(c, "gradle/wrapper/gradle-wrapper.properties", "services.gradle.org", "downloads.gradle.org")
}

// gradleProjects returns the build scripts of all projects that a settings file includes.
func gradleProjects(c *Call, f started) (files []string) {
	if !strings.HasPrefix(f.name, "settings.gradle") {
		return nil
	}
	for line := range strings.Lines(f.Text) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "include")
		if !ok {
			continue
		}
		for _, p := range quotedWords(rest) {
			dir := strings.Trim(strings.ReplaceAll(p, ":", "/"), "/")
			for _, n := range c.present(dir, []string{"build.gradle", "build.gradle.kts"}) {
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
		for _, n := range quotedWords(rest) {
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
func wrapperSource(c *Call, name string, hosts ...string) {
	if !strings.HasSuffix(c.Program, "w") {
		return
	}
	f, _ := c.startedFile(name)
	for key, value := range settings(f.Text) {
		if key = strings.TrimPrefix(key, "."); key != "distributionurl" && key != "distributionUrl" && key != "wrapperUrl" {
			continue
		}
		w := Lit(strings.ReplaceAll(value, `\`, ""))
		if u, err := url.Parse(w.Text); err == nil && !slices.Contains(hosts, u.Hostname()) {
			packages(c, "run", []Word{w}, packageSource(c, w))
		}
	}
}

// gradleScript runs the commands and deletions in one script, and returns the lines that run. It
// leaves out tasks that nothing reaches, unless this command line wrote the script.
func gradleScript(c *Call, f started) string {
	var reached strings.Builder
	task, depth, base := "", 0, 0
	for i, line := range strings.Split(f.Text, "\n") {
		s := gradleHome.Replace(strings.TrimSpace(line))
		if strings.HasPrefix(s, "//") {
			continue
		}
		if name := gradleTask(s); name != "" {
			task, base = name, depth
		}
		wanted := task == "" || gradleReaches(c, f.Text, task)
		if wanted || f.own {
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
				if words := quotedWords(rest); len(words) > 0 {
					if _, args, ok := strings.Cut(f.Text[strings.Index(f.Text, line):], "args"); ok && key == "executable" {
						words = append(words, quotedWords(strings.TrimLeft(args, " (="))...)
					}
					f.exec(i+1, words, Run{})
				}
			}
			_, rest, ok := strings.Cut(s, "delete(")
			if !ok {
				_, rest, ok = strings.Cut(" "+s, " delete ")
			}
			if ok {
				for _, w := range quotedWords(rest) {
					f.exec(i+1, []string{"rm", "-rf", w}, Run{})
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

// gradleHome replaces the expressions for the home folder with its path.
var gradleHome = strings.NewReplacer("${System.getProperty('user.home')}", "~", `${System.getProperty("user.home")}`, "~", "${System.getenv('HOME')}", "~", `${System.getenv("HOME")}`, "~", "${System.env.HOME}", "~", `System.getProperty("user.home") + "`, `"~`, "System.getProperty('user.home') + '", "'~", `System.getenv("HOME") + "`, `"~`, "$rootDir", ".", "${rootDir}", ".", "$projectDir", ".", "$buildDir", "build", "${buildDir}", "build")

// gradleTask returns the name of the task that a line defines, or "".
func gradleTask(s string) string {
	for _, head := range []string{"task ", "task(", "tasks.register", "tasks.create", "register<", "create<"} {
		i := strings.Index(s, head)
		if i < 0 || i > 0 && head == "task " {
			continue
		}
		rest := s[i+len(head):]
		if j := strings.IndexAny(rest, `"'`); j >= 0 && (head[0] != 't' || head != "task ") {
			if words := quotedWords(rest[j:]); len(words) > 0 {
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
func gradleReaches(c *Call, text, task string) bool {
	if slices.ContainsFunc(c.Operands, func(w Word) bool { return w.Text[strings.LastIndexByte(w.Text, ':')+1:] == task }) {
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
func mavenTasks(c *Call) {
	name := "pom.xml"
	if w, ok := c.Opt("-f"); ok && w.Known() {
		name = w.Text
	}
	wrapperSource(c, ".mvn/wrapper/maven-wrapper.properties", "repo.maven.apache.org", "repo1.maven.org", "archive.apache.org", "dlcdn.apache.org")
	f, _ := c.startedFile(name)
	goal := false
	for _, w := range c.Operands {
		goal = goal || strings.HasPrefix(w.Text, "exec:") || strings.HasPrefix(w.Text, "antrun:")
	}
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
				f.exec(line, words, Run{})
			}
			antTasks(f, line, plugin)
			for _, name := range [...]string{"script", "source"} { // of plugins for Groovy
				if text := element(plugin, name); text != "" && (strings.Contains(plugin, "groovy") || strings.Contains(plugin, "gmaven")) {
					f.c.Script("groovy", Stream{Text: strings.TrimSuffix(strings.TrimPrefix(text, "<![CDATA["), "]]>"), Seen: true, Taint: f.Taint}, f.at(line, Run{}))
				}
			}
		}
		line += strings.Count(plugin, "\n")
		rest = after
	}
}

// antTasks runs the exec and delete tasks of Ant in an XML text that begins at a line.
func antTasks(f started, line int, text string) {
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
					words = append(words, f.c.words(attribute(arg, "line"))...)
				}
			}
			if words[0] != "" {
				f.exec(line, words, Run{})
			}
		case strings.HasPrefix(tag, "<delete"):
			dir := cmp.Or(attribute(tag, "dir"), attribute(tag, "file"))
			if inner, _, ok := strings.Cut(rest, "</delete>"); ok && dir == "" {
				_, set, _ := strings.Cut(inner, "<fileset")
				set, _, _ = strings.Cut(set, ">")
				dir = attribute(set, "dir")
			}
			if dir != "" {
				f.exec(line, []string{"rm", "-rf", strings.NewReplacer("${user.home}", "~", "${basedir}", ".", "${project.basedir}", ".", "${project.build.directory}", "target").Replace(dir)}, Run{})
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
func preCommitHooks(c *Call, stage string) {
	name := ".pre-commit-config.yaml"
	if w, ok := configValue(c, "-c", "--config"); ok {
		name = w
	}
	f, _ := c.startedFile(name, ".pre-commit-config.yml")
	for _, repo := range f.tree(datafile.YAML).Get("repos").List() {
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
				f.run(entry.Line, entry.Text+Quote("", Lits(h.Get("args").Texts()...)), Run{})
			}
		}
	}
}

// configValue returns the value of the first option with one of the names, and whether there is
// one. It looks at the arguments alone, whatever the Model lists.
func configValue(c *Call, names ...string) (string, bool) {
	for i, w := range c.Args {
		for _, n := range names {
			if v, ok := strings.CutPrefix(w.Text, n+"="); ok {
				return v, true
			}
			if w.Text == n && i+1 < len(c.Args) {
				return c.Args[i+1].Text, true
			}
		}
	}
	return "", false
}

// lefthook runs the commands and scripts that lefthook's configuration has for a hook.
func lefthook(c *Call, hook string) {
	for _, n := range []string{"lefthook", ".lefthook", "lefthook-local"} {
		for _, ext := range []string{".yml", ".yaml", ".toml", ".json"} {
			f, _ := c.startedFile(n + ext)
			t := f.tree(settingsReader(n+ext, f.Text)).Get(hook)
			run := func(v *datafile.Value) {
				if r := v.Get("run"); r != nil {
					f.run(r.Line, strings.NewReplacer("{staged_files}", "", "{all_files}", "", "{push_files}", "", "{files}", "", "{0}", "", "{1}", "").Replace(r.Text), Run{})
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
				f.exec(v.Line, append(words, file), Run{})
			})
		}
	}
}

// cmakeTask reports whether cmake only configures a build or builds. No setting may name a program,
// except for well-known compilers and launchers.
func (c *Call) cmakeTask() bool {
	if c.Has("-E", "-P", "-C", "--install", "-T", "--debugger-pipe", "--find-package") || c.starts("--debugger") {
		return false
	}
	for i, w := range c.Args {
		t := w.Text
		if i > 0 && anyof.Equal(c.Args[i-1].Text, "-t", "--target") && !ownTask(t) { // such as the target install
			return false
		}
		setting, ok := strings.CutPrefix(t, "-D")
		if ok && setting == "" && i+1 < len(c.Args) {
			setting = c.Args[i+1].Text
		}
		if ok && !plainSetting(setting) {
			return false
		}
	}
	return c.Has("--build", "--preset", "-B") || len(c.Operands) == 1 && strings.Trim(c.Operands[0].Text, "./") == ""
}

// plainSetting reports whether a setting of cmake is a switch, a plain name or a toolchain file,
// and names no program except a well-known compiler or launcher.
func plainSetting(setting string) bool {
	name, v, _ := strings.Cut(setting, "=")
	name, _, _ = strings.Cut(name, ":")
	if anyof.Equal(strings.ToUpper(v), "ON", "OFF", "1", "0", "TRUE", "FALSE", "YES", "NO") {
		return true
	}
	if name == "CMAKE_TOOLCHAIN_FILE" {
		return strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+") == ""
	}
	if anyof.Equal(name, "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_Fortran_COMPILER") {
		return anyof.Equal(v, "gcc", "g++", "clang", "clang++", "cc", "c++", "gfortran")
	}
	if anyof.Equal(name, "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER") {
		return anyof.Equal(v, "ccache", "sccache")
	}
	return !Influential(strings.TrimPrefix(name, "CMAKE_"), true) && !strings.Contains(name, "ARGS") && strings.Trim(v, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+,") == ""
}

// publishTask reports whether a task of a build tool publishes its result.
func publishTask(s string) bool {
	s = s[strings.LastIndexByte(s, ':')+1:]
	if anyof.Equal(s, "deploy", "publish", "release", "upload", "uploadArchives", "bintrayUpload", "perform", "publishPlugins", "closeAndReleaseRepository", "publishToSonatype", "stage-release", "publishSigned", "sonatypeRelease", "dockerPush", "jib", "clojars") {
		return true
	}
	return strings.HasPrefix(s, "publish") && s != "publishToMavenLocal" && s != "publishLocal" && s != "publishM2"
}

func doMaven(c *Call)  { doBuildPublish(c) }
func doGradle(c *Call) { doBuildPublish(c) }

func doBuildPublish(c *Call) {
	switch {
	case c.Inert():
	case strings.HasPrefix(c.Program, "gradle"):
		gradleTasks(c)
	case strings.HasPrefix(c.Program, "mv") || c.Program == "maven":
		mavenTasks(c)
	case c.Program == "ant":
		if f, ok := c.startedFile("build.xml"); ok {
			antTasks(f, 1, f.Text)
		}
	}
	for _, w := range c.Operands {
		if publishTask(w.Text) {
			packages(c, "publish", []Word{w}, umpire.Upload|umpire.Mutate)
		}
		if strings.HasPrefix(w.Text, "exec:") || strings.Contains(w.Text, "exec-maven-plugin") {
			c.Op(umpire.Exec, Quote(c.Program, c.Args), umpire.RunsProgram)
		}
	}
}

func doCmake(c *Call) {
	if c.Has("-E") { // a portable command, such as cmake -E rm
		ops := c.Operands
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
		case "env", "time":
			a := ops[1:]
			for len(a) > 0 && strings.Contains(a[0].Text, "=") {
				a = a[1:]
			}
			c.Exec(a, Run{Out: true})
		case "chdir":
			if len(ops) > 2 {
				c.Exec(ops[2:], Run{Dir: &ops[1], Out: true})
			}
		}
	}
}
