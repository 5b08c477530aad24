package cell

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
)

// spawn starts a cell's process. If the kernel cannot create namespaces, it starts without them,
// and missing gives the reason.
func spawn(program string, namespaces bool) (c *Cell, missing, err error) {
	if program == "" {
		if program, err = self(); err != nil {
			return nil, nil, err
		}
	}
	if namespaces {
		if c, missing = spawnWith(program, true); missing == nil {
			return c, nil, nil
		}
	}
	c, err = spawnWith(program, false)
	return c, missing, err
}

func spawnWith(program string, namespaces bool) (*Cell, error) {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program) //nolint:noctx // Start ends it with its context
	cmd.Args = []string{name}
	cmd.Env = []string{}
	cmd.Dir = "/"
	cmd.Stdin, cmd.Stdout = theirIn, theirOut
	attributes(cmd, namespaces)
	closeOnExec() // files that umpire's parent left open
	c := &Cell{Conn: newConn(ourIn, ourOut), done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel ties the death signal to the thread that started the child, so this thread
		// must live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		_, _ = theirIn.Close(), theirOut.Close()
		started <- err
		if err == nil {
			c.err = cmd.Wait()
			close(c.done)
		}
	}()
	if err := <-started; err != nil {
		_, _ = ourIn.Close(), ourOut.Close()
		return nil, err
	}
	c.pid = cmd.Process.Pid
	var once sync.Once
	c.kill = func() { once.Do(func() { _ = cmd.Process.Kill() }) }
	return c, nil
}
