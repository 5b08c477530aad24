package tui

// history holds earlier messages. While the user browses them, it keeps the draft.
type history struct {
	list  []string
	at    int // len(list): at the draft
	draft string
}

// maxHistory limits the number of messages.
const maxHistory = 500

func newHistory(list []string) history {
	var h history
	for _, t := range list {
		h.add(t)
	}
	return h
}

// add appends a message, unless it equals the last one.
func (h *history) add(text string) {
	if n := len(h.list); text != "" && (n == 0 || h.list[n-1] != text) {
		h.list = append(h.list, text)
	}
	if n := len(h.list) - maxHistory; n > 0 {
		h.list = append([]string(nil), h.list[n:]...)
	}
	h.at, h.draft = len(h.list), ""
}

// older returns the previous message, and saves a draft.
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

// newer returns the next message, and finally the draft.
func (h *history) newer() (string, bool) {
	if h.at >= len(h.list) {
		return "", false
	}
	if h.at++; h.at == len(h.list) {
		return h.draft, true
	}
	return h.list[h.at], true
}
