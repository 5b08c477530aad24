package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/umpire-dev/umpire/internal/hook"
	"github.com/umpire-dev/umpire/internal/platform"
)

// maxAnswer is the limit for umpire's response, in bytes.
const maxAnswer = 1 << 20

// handOver returns a function that lets umpire answer a payload. umpire runs as a watched child,
// and does not replace this process: if it fails, this process still answers with the rules'
// decision.
func handOver(client string) func(context.Context, []byte) (platform.HookOutput, error) {
	return func(ctx context.Context, payload []byte) (platform.HookOutput, error) {
		prog, err := hook.Sibling("umpire")
		if err != nil {
			return platform.HookOutput{}, err
		}
		var ends [6]*os.File // a reader and a writer for each of stdin, stdout, stderr
		for i := 0; i < 6; i += 2 {
			if ends[i], ends[i+1], err = os.Pipe(); err != nil {
				return platform.HookOutput{}, err
			}
		}
		defer func() {
			for _, f := range ends {
				f.Close()
			}
		}()
		proc, err := os.StartProcess(prog, []string{prog, "hook", client}, &os.ProcAttr{Files: []*os.File{ends[0], ends[3], ends[5]}})
		if err != nil {
			return platform.HookOutput{}, fmt.Errorf("start umpire: %w", err)
		}
		for _, i := range []int{0, 3, 5} {
			ends[i].Close()
		}
		type text struct {
			data []byte
			err  error
		}
		stdout, stderr := make(chan text, 1), make(chan text, 1)
		read := func(f *os.File, to chan<- text) {
			b, err := io.ReadAll(io.LimitReader(f, maxAnswer))
			to <- text{b, err}
		}
		go read(ends[2], stdout)
		go read(ends[4], stderr)
		go func() {
			_, _ = ends[1].Write(payload)
			ends[1].Close()
		}()
		stopped := context.AfterFunc(ctx, func() { _ = proc.Kill() })
		state, err := proc.Wait()
		stopped()
		if err != nil {
			return platform.HookOutput{}, err
		}
		if ctx.Err() != nil {
			return platform.HookOutput{}, errors.New("umpire timed out")
		}
		out, errs := <-stdout, <-stderr
		code := state.ExitCode()
		if code < hook.Answered {
			return platform.HookOutput{}, fmt.Errorf("umpire failed: %s", state)
		}
		return platform.HookOutput{Stdout: string(out.data), Stderr: string(errs.data), Exit: code - hook.Answered}, errors.Join(out.err, errs.err)
	}
}
