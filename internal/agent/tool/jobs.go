package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/internal/agent"
)

// Limits of jobs.
const (
	maxRunning = 8
	maxEnded   = 20 // finished jobs to remember
	maxWait    = time.Minute
)

// Jobs are the commands of one agent that outlived their call. They end with Close at the latest,
// an hour after their start, or with this process.
type Jobs struct {
	mu     sync.Mutex
	last   int
	list   []*job // in order of their start
	closed bool
}

type job struct {
	id string
	*command
}

type jobData struct {
	ID       string `json:"id"`
	Command  string `json:"command"`
	Running  bool   `json:"running"`
	Seconds  int    `json:"seconds"`
	ExitCode *int   `json:"exitCode,omitempty"`
	Stdout   string `json:"stdout,omitempty"`
	Stderr   string `json:"stderr,omitempty"`
	File     string `json:"file,omitempty"`
}

func (j *job) running() bool {
	select {
	case <-j.done:
		return false
	default:
		return true
	}
}

// keep makes a job of a running command.
func (js *Jobs) keep(c *command) (id string, err error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if js.closed {
		return "", errors.New("the agent is about to end")
	}
	running, ended := 0, 0
	for _, j := range slices.Backward(js.list) {
		if j.running() {
			running++
		} else if ended++; ended > maxEnded {
			js.list = slices.DeleteFunc(js.list, func(k *job) bool { return k == j })
		}
	}
	if running >= maxRunning {
		return "", fmt.Errorf("%d jobs are already running: end one with job_kill", running)
	}
	c.out.mu.Lock()
	c.out.tell = nil // the call has ended
	c.out.mu.Unlock()
	js.last++
	j := &job{strconv.Itoa(js.last), c}
	js.list = append(js.list, j)
	return j.id, nil
}

// Close ends all jobs and prevents new ones.
func (js *Jobs) Close() {
	js.mu.Lock()
	js.closed = true
	list := slices.Clone(js.list)
	js.mu.Unlock()
	for _, j := range list {
		j.cancel()
	}
	for _, j := range list {
		<-j.done
	}
}

func (js *Jobs) all() []*job {
	js.mu.Lock()
	defer js.mu.Unlock()
	return slices.Clone(js.list)
}

func (js *Jobs) find(id string) (*job, error) {
	for _, j := range js.all() {
		if j.id == id {
			return j, nil
		}
	}
	return nil, fmt.Errorf("no job %q exists: job_list lists them", id)
}

func (j *job) data(output bool) jobData {
	d := jobData{ID: j.id, Command: j.text, Running: j.running(), Seconds: int(time.Since(j.started).Seconds())}
	if !d.Running {
		d.ExitCode = &j.code
	}
	if output {
		d.Stdout, d.Stderr, d.File = j.out.texts()
	}
	return d
}

func (d *jobData) state() string {
	if d.Running {
		return fmt.Sprintf("running for %d s", d.Seconds)
	}
	return fmt.Sprintf("ended with exit code %d", *d.ExitCode)
}

type jobInput struct {
	ID string `json:"id" jsonschema:"ID of the job"`
}

type jobReadInput struct {
	ID   string `json:"id" jsonschema:"ID of the job"`
	Wait int64  `json:"wait,omitempty" jsonschema:"milliseconds to wait for the job to end, at most 60000"`
}

func (js *Jobs) tools() []agent.Tool {
	return []agent.Tool{
		define(agent.Tool{
			Name: "job_list", Description: "List the commands that were kept running as jobs.",
			Origin: func(json.RawMessage) string { return "job_list" },
		}, nil, func(_ context.Context, _ *struct{}, _ *agent.Env) (r agent.Result, err error) {
			list, lines := []jobData{}, []string{}
			for _, j := range js.all() {
				d := j.data(false)
				list = append(list, d)
				lines = append(lines, fmt.Sprintf("%s: %s, %s", d.ID, d.state(), d.Command))
			}
			if len(list) == 0 {
				lines = []string{"No jobs."}
			}
			return agent.Result{Success: true, Output: strings.Join(lines, "\n"), Data: map[string]any{"jobs": list}}, nil
		}),
		define(agent.Tool{
			Name: "job_read", Description: "Read the output of a job so far, and whether it is still running.",
			Origin: origin("job_read", "id"),
		}, func(schema *jsonschema.Schema) {
			schema.Properties["wait"].Minimum, schema.Properties["wait"].Maximum = new(0.0), new(float64(maxWait.Milliseconds()))
		}, func(ctx context.Context, in *jobReadInput, _ *agent.Env) (r agent.Result, err error) {
			j, err := js.find(in.ID)
			if err != nil {
				return r, err
			}
			if in.Wait > 0 {
				select {
				case <-j.done:
				case <-time.After(min(time.Duration(in.Wait)*time.Millisecond, maxWait)):
				case <-ctx.Done():
					return r, errors.New("the wait was cancelled")
				}
			}
			d := j.data(true)
			return agent.Result{Success: true, Output: j.blocks(false) + d.state(), Data: d}, nil
		}),
		define(agent.Tool{Name: "job_kill", Description: "Kill a job and every process that it started."}, nil,
			func(_ context.Context, in *jobInput, _ *agent.Env) (r agent.Result, err error) {
				j, err := js.find(in.ID)
				if err != nil {
					return r, err
				}
				if !j.running() {
					return r, fmt.Errorf("job %s has already ended", j.id)
				}
				j.end()
				return agent.Result{Success: true, Output: "ended job " + j.id, Data: map[string]any{"id": j.id, "running": false}}, nil
			}),
	}
}
