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

// fill sets v. Each number and text is different, so that swapped fields are noticed.
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
			if f := v.Type().Field(i); f.IsExported() && !left(f) {
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

// Same fails the test for each exported field, in structs below as well, that differs from
// want, or that want leaves zero. A field in except, such as "Grant.ID", must differ: the writer
// or the reader sets it, or it is not kept.
func Same(t testing.TB, got, want any, except ...string) {
	t.Helper()
	c := comparison{t, except, map[string]bool{}}
	c.compare("", reflect.ValueOf(got), reflect.ValueOf(want))
	for _, name := range except {
		if !c.differ[name] {
			t.Errorf("%T: the test excepts %s, which is kept or does not exist", want, name)
		}
	}
}

type comparison struct {
	t      testing.TB
	except []string
	differ map[string]bool
}

func (c *comparison) compare(name string, got, want reflect.Value) {
	c.t.Helper()
	for want.Kind() == reflect.Pointer && got.Kind() == reflect.Pointer && !want.IsNil() && !got.IsNil() {
		got, want = got.Elem(), want.Elem()
	}
	_, isTime := want.Interface().(time.Time)
	switch {
	case want.Kind() == reflect.Struct && !isTime && exported(want.Type()):
		for i := range want.NumField() {
			if field := want.Type().Field(i); field.IsExported() && !left(field) {
				c.compare(strings.TrimPrefix(name+"."+field.Name, "."), got.Field(i), want.Field(i))
			}
		}
	case want.Kind() == reflect.Slice && want.Len() > 0 && want.Len() == got.Len() && want.Type().Elem().Kind() == reflect.Struct:
		for i := range want.Len() {
			c.compare(name, got.Index(i), want.Index(i))
		}
	case want.IsZero():
		c.t.Errorf("the test sets no %s", name)
	case same(got, want):
	case slices.Contains(c.except, name):
		c.differ[name] = true
	default:
		c.t.Errorf("%s is lost on the way: got %#v, want %#v", name, got, want)
	}
}

// same compares times by their moment.
func same(got, want reflect.Value) bool {
	if t, ok := want.Interface().(time.Time); ok {
		return t.Equal(got.Interface().(time.Time))
	}
	return reflect.DeepEqual(got.Interface(), want.Interface())
}

// exported reports whether a struct has fields to compare one by one.
func exported(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// left reports whether a field is a function, a channel or an interface that JSON leaves out.
func left(f reflect.StructField) bool {
	switch f.Type.Kind() {
	case reflect.Func, reflect.Chan:
		return f.Tag.Get("json") == "-"
	case reflect.Interface:
		return f.Tag.Get("json") == "-" && f.Type.NumMethod() > 0
	}
	return false
}

// ThroughJSON returns a value after encoding to JSON and decoding.
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

// KeepsJSON checks that a struct is the same after it was written and read as JSON, in every
// field but those of except, which are not kept.
func KeepsJSON[T any](t testing.TB, except ...string) {
	t.Helper()
	want := Value[T]()
	Same(t, ThroughJSON(t, want), want, except...)
}
