package sql

import (
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// Redis returns the effect of a Redis command.
func Redis(args []string) Statement {
	if len(args) == 0 {
		return Statement{}
	}
	verb := strings.ToLower(args[0])
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	s := Statement{Verb: verb, Object: arg(1)}
	switch verb {
	case "flushall":
		s.Traits = gone | umpire.DataStore | umpire.Bulk
	case "flushdb":
		s.Traits = gone | umpire.DataStore
	case "del", "unlink":
		s.Traits = umpire.Mutate
		for _, a := range args[1:] {
			if a == "*" || strings.HasPrefix(a, umpire.Hole) {
				s.Traits |= umpire.Bulk | umpire.Destroy
			}
		}
	case "shutdown", "debug", "replicaof", "slaveof", "failover", "swapdb":
		s.Traits = umpire.Mutate | umpire.Bulk
	case "config":
		s.Verb, s.Object = "config-"+strings.ToLower(arg(1)), arg(2)
		if s.Verb == "config-set" {
			s.Traits = umpire.Mutate
			// dir and dbfilename direct the next save to any file on the server.
			if anyof.Equal(strings.ToLower(s.Object), "dir", "dbfilename", "requirepass", "protected-mode") {
				s.Traits |= umpire.Loosened | umpire.Force
			}
		}
	case "module":
		s.Verb, s.Object = "module-"+strings.ToLower(arg(1)), arg(2)
		if s.Verb == "module-load" {
			s.Traits = umpire.LoadsCode
		}
	case "eval", "evalsha", "fcall", "script", "function":
		s.Traits = umpire.Mutate
		if strings.Contains(strings.ToLower(arg(1)), "flush") {
			s.Verb, s.Traits = "flushall", gone|umpire.DataStore|umpire.Bulk
		}
	case "acl", "client", "cluster":
		s.Verb, s.Object = verb+"-"+strings.ToLower(arg(1)), arg(2)
		if anyof.Equal(s.Verb, "cluster-reset", "cluster-flushslots", "acl-deluser", "acl-setuser") {
			s.Traits = umpire.Mutate | umpire.Force
		}
	case "get", "mget", "exists", "keys", "scan", "ttl", "pttl", "type", "strlen", "hget", "hgetall", "hmget", "hkeys", "hvals", "hlen", "llen", "lrange", "lindex",
		"smembers", "scard", "sismember", "zrange", "zcard", "zscore", "zrangebyscore", "dbsize", "info", "ping", "echo", "time", "monitor", "memory", "object", "slowlog", "latency",
		"xlen", "xrange", "xread", "subscribe", "psubscribe", "randomkey", "dump", "command", "lastsave", "role", "hello", "auth", "select", "quit", "help", "bitcount", "getrange", "pfcount", "geopos", "json.get", "ft.search", "ft.info":
	default:
		s.Traits = umpire.Mutate
		if strings.Contains(verb, umpire.Hole) {
			s.Traits |= umpire.Unknown
		}
	}
	return s.marked()
}

// Mongo returns the database operations of a script for the MongoDB shell.
func Mongo(js string) (out []Statement) {
	if len(js) > maxText {
		js = js[:maxText]
		out = append(out, unread)
	}
	code := stripJS(js)
	for i := 0; i < len(code); i++ {
		if code[i] != '(' {
			continue
		}
		j := i
		for j > 0 && (code[j-1] == ' ' || code[j-1] == '\t') {
			j--
		}
		k := j
		for k > 0 && wordByte(code[k-1]) {
			k--
		}
		method, recv := code[k:j], receiver(code[:k])
		// db["dropDatabase"]() names its method by a string.
		if method == "" && j > 0 && code[j-1] == ']' {
			if open := strings.LastIndexByte(code[:j], '['); open >= 0 {
				method, recv = strings.Trim(js[open+1:j-1], `'"`+"` "), receiver(code[:open]+".")
			}
		}
		if s, ok := mongoCall(method, recv, strings.TrimSpace(inner(js[i:]))); ok {
			out = appendTo(out, s.marked())
		}
	}
	return out
}

// mongoCall reads a call of a method of a database or collection.
func mongoCall(method, recv, args string) (s Statement, ok bool) {
	first := strings.ReplaceAll(strings.ReplaceAll(args, " ", ""), "\n", "")
	empty := first == "" || first == "{}" || strings.HasPrefix(first, "{},") || first == "null"
	s.Object = recv
	everything := umpire.NoWhere | umpire.Bulk
	if !empty {
		everything = 0
	}
	switch method {
	case "dropDatabase":
		s.Verb, s.Traits = "drop-database", gone|umpire.DataStore|umpire.Bulk
	case "drop", "dropCollection":
		s.Verb, s.Traits = "drop-collection", gone|umpire.DataStore
		if method == "dropCollection" || recv == "db" {
			s.Object = strings.Trim(args, `'"`)
		}
	case "deleteMany", "remove":
		s.Verb, s.Traits = "delete", umpire.Mutate|everything
		if empty {
			s.Traits |= gone | umpire.DataStore
		}
	case "updateMany":
		s.Verb, s.Traits = "update", umpire.Mutate|everything
	case "update":
		s.Verb, s.Traits = "update", umpire.Mutate
		if strings.Contains(first, "multi:true") {
			s.Traits |= everything
		}
	case "deleteOne", "findOneAndDelete":
		s.Verb, s.Traits = "delete", umpire.Mutate
	case "updateOne", "replaceOne", "findOneAndUpdate", "findAndModify", "bulkWrite":
		s.Verb, s.Traits = "update", umpire.Mutate
	case "insert", "insertOne", "insertMany", "save", "createCollection", "createIndex", "renameCollection":
		s.Verb, s.Traits = "insert", umpire.Mutate
	case "dropIndex", "dropIndexes", "dropAllUsers", "dropUser", "dropRole", "dropAllRoles", "removeUser":
		s.Verb, s.Traits = "drop-"+strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(method, "drop"), "remove")), umpire.Mutate|umpire.Destroy
	case "createUser", "grantRolesToUser", "updateUser", "createRole":
		s.Verb, s.Traits = "grant", umpire.Mutate|umpire.Loosened
	case "shutdownServer":
		s.Verb, s.Traits = "shutdown", umpire.Mutate|umpire.Bulk
	case "runCommand", "adminCommand":
		s.Verb = "other"
		switch low := strings.ToLower(first); {
		case strings.Contains(low, "dropdatabase"):
			return mongoCall("dropDatabase", recv, "")
		case anyof.Contains(low, "drop:", `drop":`, `drop':`):
			s.Verb, s.Traits = "drop-collection", gone|umpire.DataStore
		case strings.Contains(low, "shutdown"):
			return mongoCall("shutdownServer", recv, "")
		}
	case "find", "findOne", "countDocuments", "count", "aggregate", "distinct", "stats":
		s.Verb = "select"
		if method == "aggregate" && anyof.Contains(first, "$out", "$merge") {
			s.Verb, s.Traits = "update", umpire.Mutate
		}
	case "run", "system", "execSync", "exec", "runProgram":
		s.Verb, s.Runs = "shell", strings.Trim(args, `'"`+"`")
	case "load":
		s.Verb, s.Reads, s.Script = "script", []string{strings.Trim(args, `'"`)}, true
	default:
		return s, false
	}
	return s, true
}

// receiver returns the collection on which a method is called: db.users. or
// db.getCollection("users").
func receiver(code string) string {
	code = strings.TrimRight(strings.TrimSpace(code), ".?")
	if strings.HasSuffix(code, ")") {
		if i := strings.LastIndexByte(code, '('); i >= 0 {
			return strings.Trim(code[i+1:len(code)-1], `'" `)
		}
	}
	i := len(code)
	for i > 0 && wordByte(code[i-1]) {
		i--
	}
	return code[i:]
}

// inner returns the text between the parenthesis at s[0] and its counterpart.
func inner(s string) string {
	s = s[:min(len(s), 4096)] // enough for a filter, and a limit on the work for each call
	depth := 0
	var q byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case q != 0:
			if c == '\\' {
				i++
			} else if c == q {
				q = 0
			}
		case c == '\'' || c == '"' || c == '`':
			q = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return s[1:i]
			}
		}
	}
	return s[min(1, len(s)):]
}

// stripJS replaces strings and comments by blanks, which keeps every offset.
func stripJS(s string) string {
	b := []byte(s)
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '\'' || b[i] == '"' || b[i] == '`':
			q := b[i]
			for i++; i < len(b) && b[i] != q; i++ {
				if b[i] == '\\' && i+1 < len(b) {
					b[i] = '_'
					i++
				}
				if !wordByte(b[i]) {
					b[i] = '_'
				}
			}
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '/':
			for ; i < len(b) && b[i] != '\n'; i++ {
				b[i] = ' '
			}
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '*':
			for stop := blockEnd(s, i+2, false); i < stop; i++ {
				b[i] = ' '
			}
			i--
		}
	}
	return string(b)
}
