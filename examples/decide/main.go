// Decide is a service that decides whether remote agents may run a command.
//
//	curl -d '{"command": "rm -rf ~"}' http://127.0.0.1:8080/
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/decision"
)

func main() {
	dir, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	point, err := decision.Open(dir) // the policy files in force here
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		input, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		result, err := point.Decide(r.Context(), umpire.Action{Tool: "Bash", Input: input, Dir: dir})
		if err != nil { // the zero result denies
			log.Print(err)
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"effect": result.Effect, "reasons": result.Reasons}); err != nil {
			log.Print(err)
		}
	})
	address := "127.0.0.1:8080"
	if len(os.Args) > 1 {
		address = os.Args[1]
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
