module github.com/umpire-dev/umpire

go 1.26.0

require (
	github.com/goccy/go-yaml v1.19.2 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)
