package guardserver

// Paths tells what a server serves.
func Paths(s *Server) []string {
	var out []string
	for _, r := range s.routes {
		out = append(out, r.path)
	}
	return out
}
