// Package filled makes values for tests of encodings. Every exported field is set, so that a
// round trip fails as soon as an encoder forgets a new field.
package filled

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// Value returns a T in which every exported field is set, also those of fields, elements and
// keys. It panics on a type that it does not know how to fill.
func Value[T any]() T {
	var v T
	n := 0
	fill(reflect.ValueOf(&v).Elem(), &n)
	return v
}

// fill sets v. Each number and text is another one: fields that change places do not pass.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, *n%60, 0, time.UTC)))
		return
	case json.RawMessage:
		v.SetBytes(fmt.Appendf(nil, `{"n":%d}`, *n))
		return
	}
	number := *n%100 + 1
	switch v.Interface().(type) {
	case json.Marshaler, encoding.TextMarshaler: // an enumeration, of which 1 is the first
		number = 1
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", *n))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(number))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(number))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) / 2)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), n)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Interface:
		if v.NumMethod() > 0 {
			panic(fmt.Sprintf("cannot fill a %v", v.Type()))
		}
		v.Set(reflect.ValueOf(fmt.Sprintf("text %d", *n)))
	default:
		panic(fmt.Sprintf("cannot fill a %v", v.Type()))
	}
}

// Same fails the test for each exported field of a struct that differs from want, or that want
// leaves zero. Fields in except must differ: they are set by whoever writes or reads, or not kept.
func Same[T any](t testing.TB, got, want T, except ...string) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range w.NumField() {
		field := w.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		name := w.Type().Name() + "." + field.Name
		if w.Field(i).IsZero() {
			t.Errorf("the test sets no %s", name)
		}
		a, b := text(g.Field(i)), text(w.Field(i))
		switch kept, known := a == b, slices.Contains(except, field.Name); {
		case kept && known:
			t.Errorf("%s is kept, but the test excepts it", name)
		case !kept && !known:
			t.Errorf("%s is lost on the way: got %s, want %s", name, a, b)
		}
	}
}

// text is a value as it is compared: times by their moment, and nil as empty.
func text(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case time.Time:
		return x.UTC().Format(time.RFC3339Nano)
	case json.RawMessage:
		return string(x)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return text(v.Elem())
	case reflect.Slice, reflect.Array:
		var b strings.Builder
		for i := range v.Len() {
			b.WriteString(text(v.Index(i)) + ";")
		}
		return "[" + b.String() + "]"
	case reflect.Map:
		list := []string{}
		for _, k := range v.MapKeys() {
			list = append(list, text(k)+":"+text(v.MapIndex(k)))
		}
		slices.Sort(list)
		return "map" + fmt.Sprint(list)
	case reflect.Struct:
		var b strings.Builder
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				b.WriteString(v.Type().Field(i).Name + "=" + text(v.Field(i)) + " ")
			}
		}
		return "{" + b.String() + "}"
	}
	return fmt.Sprintf("%#v", v.Interface())
}

// ThroughJSON is what is read of a value that was written as JSON.
func ThroughJSON[T any](t testing.TB, v T) T {
	t.Helper()
	var got T
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &got)
	}
	if err != nil {
		t.Fatalf("%T through JSON: %v", v, err)
	}
	return got
}
