package reader_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/reader"
)

func Example() {
	ops, err := reader.Read(context.Background(), &umpire.Action{
		Tool:  "Bash",
		Input: json.RawMessage(`{"command":"x=build; rm -rf $x"}`),
		Dir:   "/home/dev/shop",
	}, machine{home: "/home/dev"})
	fmt.Println(err)
	for _, op := range ops {
		fmt.Println(op, op.Traits)
	}
	// Output:
	// <nil>
	// exec(rm -rf build) described
	// delete(/home/dev/shop/build) recursive,force
}
