package static

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

func encode64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
func hexOf(s string) string    { return hex.EncodeToString([]byte(s)) }
func itoa(n int) string        { return strconv.Itoa(n) }

func each(s, form string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, form, s[i])
	}
	return b.String()
}

func escapes(s string) string  { return each(s, `\x%02x`) }
func percent(s string) string  { return each(s, "%%%02x") }
func entities(s string) string { return each(s, "&#%d;") }
