package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// An attacker who has an agent's token says things to the gateway that HTTP allows, or nearly. None
// of them answers a request, reaches the other side, or changes what is kept; and none is a fault
// of the gateway.
func TestAroundTheApproval(t *testing.T) {
	w := newWorld(t, "")
	f := newFaults(t, w)
	id := w.ask("exec", "make x", nil)["id"].(string)
	_, out := w.call("other", http.MethodPost, "/api/queue", map[string]any{"category": "exec", "action": "make y"})
	foreign := out["id"].(string)
	agent, viewer, approver := "Authorization: Bearer "+w.tokens["agent"], "Authorization: Bearer "+w.tokens["viewer"], "Authorization: Bearer "+w.tokens["approver"]
	const approve = "/approve HTTP/1.1"
	host := "Host: " + strings.TrimPrefix(w.url, "http://")
	body := func(text string) []string {
		return []string{"Content-Type: application/json", fmt.Sprint("Content-Length: ", len(text)), "", text}
	}
	lines := func(first string, rest ...string) []string { return append([]string{first}, rest...) }
	with := func(head []string, tail []string) string { return strings.Join(append(head, tail...), "\r\n") }
	for name, raw := range map[string]string{
		"token in the query":            with(lines("POST /api/queue/"+id+"/approve?token="+w.tokens["approver"]+" HTTP/1.1", host), body("{}")),
		"token in a cookie":             with(lines("POST /api/queue/"+id+approve, host, "Cookie: token="+w.tokens["approver"]), body("{}")),
		"token as a password":           with(lines("POST /api/queue/"+id+approve, host, "Authorization: Basic "+w.tokens["approver"]), body("{}")),
		"scheme in small letters":       with(lines("POST /api/queue/"+id+approve, host, "Authorization: bearer "+w.tokens["agent"]), body("{}")),
		"two credentials":               with(lines("POST /api/queue/"+id+approve, host, agent, approver), body("{}")),
		"method in a header":            with(lines("GET /api/queue/"+id+"/approve HTTP/1.1", host, viewer, "X-HTTP-Method-Override: POST"), []string{"", ""}),
		"method in the query":           with(lines("GET /api/queue/"+id+"/approve?_method=POST HTTP/1.1", host, viewer), []string{"", ""}),
		"a viewer approves":             with(lines("POST /api/queue/"+id+approve, host, viewer), body("{}")),
		"an agent approves":             with(lines("POST /api/queue/"+id+approve, host, agent), body("{}")),
		"double slash":                  with(lines("POST //api/queue/"+id+approve, host, agent), body("{}")),
		"dots in the path":              with(lines("POST /api/exec/../queue/"+id+approve, host, agent), body("{}")),
		"encoded dots":                  with(lines("POST /api/exec/%2e%2e/queue/"+id+approve, host, agent), body("{}")),
		"encoded slash":                 with(lines("POST /api/queue%2F"+id+approve, host, agent), body("{}")),
		"trailing slash":                with(lines("POST /api/queue/"+id+"/approve/ HTTP/1.1", host, agent), body("{}")),
		"path in capitals":              with(lines("POST /API/QUEUE/"+id+"/APPROVE HTTP/1.1", host, agent), body("{}")),
		"matrix parameter":              with(lines("POST /api/queue/"+id+"/approve;x=1 HTTP/1.1", host, agent), body("{}")),
		"no bytes in the path":          with(lines("POST /api/queue/"+id+"%00/approve HTTP/1.1", host, approver), body("{}")),
		"another host":                  with(lines("POST /api/queue/"+id+approve, "Host: evil.example", approver), body("{}")),
		"host that begins like ours":    with(lines("POST /api/queue/"+id+approve, "Host: localhost.evil.example", approver), body("{}")),
		"host with a user":              with(lines("POST /api/queue/"+id+approve, "Host: localhost@evil.example", approver), body("{}")),
		"two hosts":                     with(lines("POST /api/queue/"+id+approve, host, "Host: evil.example", approver), body("{}")),
		"no host":                       with(lines("POST /api/queue/"+id+approve, approver), body("{}")),
		"host in the address":           with(lines("POST http://evil.example/api/queue/"+id+approve, host, approver), body("{}")),
		"page of another origin":        with(lines("POST /api/queue/"+id+approve, host, approver, "Origin: https://evil.example"), body("{}")),
		"page without an origin":        with(lines("POST /api/queue/"+id+approve, host, approver, "Origin: null"), body("{}")),
		"cross-site by the browser":     with(lines("POST /api/queue/"+id+approve, host, approver, "Sec-Fetch-Site: cross-site"), body("{}")),
		"length and chunks":             with(lines("POST /api/queue/"+id+approve, host, agent, "Content-Length: 4", "Transfer-Encoding: chunked", ""), []string{"0", "", "POST /api/queue/" + id + approve, host, agent, "", ""}),
		"two lengths":                   with(lines("POST /api/queue/"+id+approve, host, agent, "Content-Length: 2", "Content-Length: 40", ""), []string{"{}"}),
		"negative length":               with(lines("POST /api/queue/"+id+approve, host, agent, "Content-Length: -2", ""), []string{"{}"}),
		"chunks by another name":        with(lines("POST /api/queue/"+id+approve, host, agent, "Transfer-Encoding: xchunked", ""), []string{"0", "", ""}),
		"folded header":                 with(lines("POST /api/queue/"+id+approve, host, "X-A: b", " "+approver, "Content-Length: 2", ""), []string{"{}"}),
		"space before a colon":          with(lines("POST /api/queue/"+id+approve, host, strings.Replace(approver, ":", " :", 1), "Content-Length: 2", ""), []string{"{}"}),
		"digest of something else":      with(lines("POST /api/queue/"+id+approve, host, approver), body(`{"digest":"00"}`)),
		"two digests":                   with(lines("POST /api/queue/"+id+approve, host, approver), body(`{"digest":"`+fmt.Sprint(w.digest(id))+`","digest":"00"}`)),
		"number below all":              with(lines("POST /api/queue/req--1"+approve, host, approver), body("{}")),
		"number above all":              with(lines("POST /api/queue/req-99999999999999999999"+approve, host, approver), body("{}")),
		"SQL for an ID":                 with(lines("POST /api/queue/'%20OR%20'1'='1"+approve, host, approver), body("{}")),
		"cancel what another asked":     with(lines("DELETE /api/queue/"+foreign+" HTTP/1.1", host, agent), []string{"", ""}),
		"read what another asked":       with(lines("GET /api/queue/"+foreign+" HTTP/1.1", host, agent), []string{"", ""}),
		"output of another's":           with(lines("GET /api/exec/"+foreign+"/output HTTP/1.1", host, agent), []string{"", ""}),
		"cursor that is no number":      with(lines("GET /api/queue?skip='%20OR%201=1 HTTP/1.1", host, viewer), []string{"", ""}),
		"cursor below zero":             with(lines("GET /api/queue?skip=-1 HTTP/1.1", host, viewer), []string{"", ""}),
		"page beyond all":               with(lines("GET /api/queue?limit=99999999999999999999 HTTP/1.1", host, viewer), []string{"", ""}),
		"upgrade without a token":       with(lines("GET /ws HTTP/1.1", host, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="), []string{"", ""}),
		"upgrade from another origin":   with(lines("GET /ws HTTP/1.1", host, approver, "Origin: https://evil.example", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="), []string{"", ""}),
		"an agent upgrades to people's": with(lines("GET /ws HTTP/1.1", host, agent, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="), []string{"", ""}),
	} {
		before := f.kept()
		status, said := w.raw(raw)
		refused := status/100 == 4 || status/100 == 3 || status == http.StatusNotImplemented || strings.Contains(said, `"ok":false`)
		if !refused {
			t.Errorf("%s: %d %.200s, want a refusal", name, status, said)
		}
		if now := f.kept(); now != before {
			// What is refused may be recorded; it is not stored and not answered.
			for line := range strings.Lines(unlike(before, now)) {
				if !strings.HasPrefix(line, "event") || strings.Contains(line, " resolve ") || strings.Contains(line, " request ") {
					t.Errorf("%s: %s", name, line)
				}
			}
		}
		if r, err := w.s.Get(t.Context(), id); err != nil || r.State.Final() {
			t.Fatalf("%s: the request is %s, %v", name, r.State, err)
		}
	}
}

// raw says something to the gateway and returns the first answer, 400 if there is none.
func (w *world) raw(text string) (status int, said string) {
	w.t.Helper()
	conn, err := new(net.Dialer).DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		w.t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		w.t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return http.StatusBadRequest, err.Error()
	}
	defer func() { _ = res.Body.Close() }()
	data := make([]byte, 500)
	n, _ := io.ReadFull(res.Body, data) // the beginning says what it is
	return res.StatusCode, string(data[:n])
}

func (w *world) digest(id string) string {
	w.t.Helper()
	r, err := w.s.Get(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Digest
}
