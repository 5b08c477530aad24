package tui

// history are the messages of before. While one walks through them, what was being typed
// is kept.
type history struct {
	list  []string
	at    int // len(list): at the draft
	draft string
}

// maxHistory bounds how many messages are remembered.
const maxHistory = 500

func newHistory(list []string) history {
	var h history
	for _, t := range list {
		h.add(t)
	}
	return h
}

// add remembers a message, unless it is the same as the one before.
func (h *history) add(text string) {
	if n := len(h.list); text != "" && (n == 0 || h.list[n-1] != text) {
		h.list = append(h.list, text)
	}
	if n := len(h.list) - maxHistory; n > 0 {
		h.list = append([]string(nil), h.list[n:]...)
	}
	h.at, h.draft = len(h.list), ""
}

// older returns the message before, and keeps a draft.
func (h *history) older(now string) (string, bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at == len(h.list) {
		h.draft = now
	}
	h.at--
	return h.list[h.at], true
}

// newer returns the message after this one, and finally the draft.
func (h *history) newer() (string, bool) {
	if h.at >= len(h.list) {
		return "", false
	}
	if h.at++; h.at == len(h.list) {
		return h.draft, true
	}
	return h.list[h.at], true
}
