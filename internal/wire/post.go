package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// Post sends a JSON document to a path below a base address. Errors are those of Do.
func (c *Client) Post(ctx context.Context, base, path string, doc any) (*http.Response, error) {
	address, err := url.JoinPath(base, path)
	if err != nil {
		return nil, fmt.Errorf("the provider's address: %w", err)
	}
	body, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "umpire")
	return c.Do(r)
}
