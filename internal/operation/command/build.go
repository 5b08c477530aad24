package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

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
