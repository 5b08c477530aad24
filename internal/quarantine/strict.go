package quarantine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Limits of JSON from a reviewer.
const (
	maxJSON  = 1 << 20
	maxDepth = 16
)

// DecodeStrict decodes one JSON value as maps, slices, strings, json.Numbers, bools and nil. It
// rejects text that two parsers could read differently: duplicate keys, invalid UTF-8, data after
// the value. It also rejects values that are too deep or too large.
func DecodeStrict(data []byte) (any, error) {
	if len(data) > maxJSON {
		return nil, fmt.Errorf("longer than %d bytes", maxJSON)
	}
	if !utf8.Valid(data) {
		return nil, errors.New("not valid UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decodeValue(d, 1)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the value")
	}
	return v, nil
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, plain(err)
	}
	open, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	if open == '[' {
		list := []any{}
		for d.More() {
			v, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, plain(err)
	}
	object := map[string]any{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, plain(err)
		}
		key, ok := t.(string)
		if !ok {
			return nil, errors.New("a key is not a string")
		}
		if _, twice := object[key]; twice {
			return nil, errors.New("a key comes twice")
		}
		if object[key], err = decodeValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err = d.Token()
	return object, plain(err)
}

// plain removes quoted text from an error.
func plain(err error) error {
	if err == nil {
		return nil
	}
	return errors.New("not valid JSON")
}
