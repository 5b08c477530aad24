package gateway

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/visible"
)

// Sync serves the routes of the reference for the files of a workspace that agents work in, and for
// pending pushes. Each file and each branch is a request like any other.

// Limits of a workspace.
const (
	maxWalked = 50_000  // files that are read
	maxRead   = 1 << 30 // their bytes, for each call: an agent may call again and again
	maxSynced = 500     // files that one call asks about
)

type syncFile struct {
	Path     string `json:"path"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modifiedAt"`        // milliseconds
	Deleted  bool   `json:"deleted,omitempty"` // only the project has it
}

// differing lists the files of the workspace that differ from the project or are missing there, and
// then the files that only the project has. It does not ask git, because an agent can write the
// files that git would read.
func (g *Gateway) differing(ctx context.Context) ([]syncFile, error) {
	if g.workspace == "" {
		return nil, fault{http.StatusNotFound, "this gateway has no workspace: start it with --workspace, or send contents to POST /api/files"}
	}
	project, err := g.tree()
	if err != nil {
		return nil, err
	}
	defer project.Close()
	work, err := g.openWorkspace()
	if err != nil {
		return nil, err
	}
	defer work.Close()
	list := []syncFile{}
	size := int64(0)
	err = walk(ctx, g.workspace, func(p string, fi fs.FileInfo) error {
		if fi.Size() > host.MaxContent {
			return nil
		}
		if size += fi.Size(); size > maxRead {
			return bad("the workspace holds more than %d MiB: name the paths", maxRead>>20)
		}
		here, err := work.State(p)
		if err != nil || here.Kind != host.File {
			return nil //nolint:nilerr // it changes while it is looked at: the next look sees it
		}
		there, err := project.State(p)
		if err == nil && there.Kind == host.File && there.Sum == here.Sum {
			return nil
		}
		list = append(list, syncFile{Path: p, Size: fi.Size(), Modified: fi.ModTime().UnixMilli()})
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = walk(ctx, g.root, func(p string, fi fs.FileInfo) error {
		if here, err := work.State(p); err == nil && here.Kind == host.Absent {
			list = append(list, syncFile{Path: p, Size: fi.Size(), Modified: fi.ModTime().UnixMilli(), Deleted: true})
		}
		return nil
	})
	return list, err
}

// walk calls each for the regular files of a folder that can be synced.
func walk(ctx context.Context, root string, each func(path string, fi fs.FileInfo) error) error {
	seen := 0
	return filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		rel, err := filepath.Rel(root, at)
		if err != nil || rel == "." {
			return err
		}
		p, err := host.CleanPath(filepath.ToSlash(rel))
		if err != nil || d.Name() == "node_modules" { // CleanPath rejects the files of git and umpire
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if seen++; seen > maxWalked {
			return bad("there are more than %d files: name the paths", maxWalked)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		fi, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) { // deleted in the meantime
			return nil
		}
		if err != nil {
			return err
		}
		return each(p, fi)
	})
}

// syncChange returns the change that brings the workspace's state of a file to the project: a write
// of its content, or a deletion if the workspace does not have it.
func syncChange(work, project *host.Tree, path string) (*changeIn, error) {
	if here, err := work.State(path); err == nil && here.Kind == host.Absent {
		if there, err := project.State(path); err == nil && there.Kind == host.File {
			return &changeIn{Op: host.Delete, Path: path, Was: there.Sum}, nil
		}
	}
	b, state, err := work.Read(path)
	if err != nil {
		return nil, bad("%s is not a file of the workspace or the project", visible.Clip(path, 200))
	}
	return &changeIn{Op: host.Write, Path: path, Base64: &b, Mode: strings.TrimLeft(modeText(state.Mode), "0")}, nil
}

// getProject returns the project that this gateway serves, for people and their programs.
func (g *Gateway) getProject(_ http.ResponseWriter, _ *http.Request, _ Principal) (int, any, error) {
	out := map[string]string{"root": g.root}
	if g.staging != nil {
		out["pushTo"] = g.staging.URL()
	}
	return http.StatusOK, out, nil
}

// postSyncFiles submits a request for each file, and answers when all are settled.
func (g *Gateway) postSyncFiles(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in struct {
		Paths  []string `json:"paths"`
		Reason string   `json:"reason"`
	}
	if err := read(w, r, &in, true); err != nil {
		return 0, nil, err
	}
	if g.workspace == "" || in.Paths == nil {
		list, err := g.differing(r.Context())
		if err != nil {
			return 0, nil, err
		}
		for _, f := range list {
			if !f.Deleted { // a workspace may never have had all files: an agent must name those to delete
				in.Paths = append(in.Paths, f.Path)
			}
		}
	}
	if len(in.Paths) > maxSynced {
		return 0, nil, bad("%d files are too many at a time: name at most %d", len(in.Paths), maxSynced)
	}
	work, err := g.openWorkspace()
	if err != nil {
		return 0, nil, err
	}
	defer work.Close()
	project, err := g.tree()
	if err != nil {
		return 0, nil, err
	}
	defer project.Close()
	asked := map[string]string{} // request by path
	defer func() { g.cancelAll(context.WithoutCancel(r.Context()), asked) }()
	for _, path := range in.Paths {
		clean, err := host.CleanPath(path)
		if err != nil {
			return 0, nil, bad("%v", err)
		}
		change, err := syncChange(work, project, clean)
		if err != nil {
			return 0, nil, err
		}
		meta := encode(map[string]any{"changes": []*changeIn{change}})
		req, err := g.Submit(r.Context(), p, Submission{Category: approval.Filesystem, Reason: in.Reason, Metadata: meta})
		if err != nil {
			return 0, nil, err
		}
		asked[path] = req.ID
	}
	results := map[string]bool{}
	for path, id := range asked {
		done, err := g.carriedOut(r.Context(), id)
		if err != nil {
			return 0, nil, err
		}
		results[path] = done
	}
	return http.StatusOK, map[string]any{"results": results}, nil
}

func modeText(mode uint32) string {
	const digits = "01234567"
	return string([]byte{digits[mode>>6&7], digits[mode>>3&7], digits[mode&7]})
}

// cancelAll cancels requests that no one waits for any more. Settled ones do not change.
func (g *Gateway) cancelAll(ctx context.Context, asked map[string]string) {
	for _, id := range asked {
		if _, err := g.queue.Cancel(ctx, id); err != nil && !errors.Is(err, approval.ErrSettled) {
			g.log.Error("cannot cancel a request", "request", id, "error", err)
		}
	}
}

// carriedOut waits for the end of a request, and reports whether it was approved and carried out.
func (g *Gateway) carriedOut(ctx context.Context, id string) (bool, error) {
	req, err := g.queue.Wait(ctx, id)
	if err != nil || req.State != approval.Approved {
		return false, err
	}
	x, err := g.waitExecution(ctx, id)
	return err == nil && x.Status == "completed", err
}

// ownPushes returns the agent's last push of each branch, among those in the given states or in
// any.
func (g *Gateway) ownPushes(ctx context.Context, p Principal, states ...approval.State) (map[string]approval.Request, error) {
	if g.staging == nil {
		return nil, fault{http.StatusNotFound, "this gateway accepts no pushes: start it with --push-to"}
	}
	list, err := g.store.List(ctx, approval.Filter{Agent: p.ID, Category: approval.Git, States: states, Limit: 1000})
	out := map[string]approval.Request{}
	for _, r := range slices.Backward(list) { // the list has the newest first: it overwrites older ones
		if u := updateOf(&r); u != nil {
			out[strings.TrimPrefix(u.Ref, "refs/heads/")] = r
		}
	}
	return out, err
}

// updateOf returns the update that a request pushes, or nil.
func updateOf(r *approval.Request) *host.Update {
	p, err := StoredPlan(r)
	if push, ok := p.(*PushPlan); ok && err == nil {
		return push.Push
	}
	return nil
}

func (g *Gateway) getSyncGit(_ http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	pushes, err := g.ownPushes(r.Context(), p, approval.Pending)
	if err != nil {
		return 0, nil, err
	}
	branches := []map[string]any{}
	for branch, req := range pushes {
		n, err := g.staging.Count(r.Context(), updateOf(&req))
		if err != nil {
			return 0, nil, err
		}
		branches = append(branches, map[string]any{"branch": branch, "commits": n, "summary": req.Description, "id": req.ID})
	}
	return http.StatusOK, map[string]any{"branches": branches}, nil
}

// postSyncGit returns the result of the last push of a branch, once it is settled.
func (g *Gateway) postSyncGit(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in struct {
		Branch string `json:"branch"`
	}
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	pushes, err := g.ownPushes(r.Context(), p)
	if err != nil {
		return 0, nil, err
	}
	req, ok := pushes[in.Branch]
	if !ok {
		return 0, nil, fault{http.StatusNotFound, "this branch was not pushed: push it to the gateway's repository"}
	}
	done, err := g.carriedOut(r.Context(), req.ID)
	return http.StatusOK, map[string]any{"branch": in.Branch, "approved": done}, err
}
