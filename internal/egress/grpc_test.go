package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

// Calls and streams of gRPC pass, with their status in trailers, by a blind tunnel and by
// one that is looked into.
func TestGRPC(t *testing.T) {
	far, ca := newTestCA(t), newTestCA(t)
	cert, err := far.certificate("a.example")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer(grpc.Creds(credentials.NewServerTLSFromCert(cert)))
	state := health.NewServer()
	state.SetServingStatus("one", grpc_health_v1.HealthCheckResponse_SERVING)
	grpc_health_v1.RegisterHealthServer(srv, state)
	go func() { _ = srv.Serve(l) }()
	defer srv.Stop()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for name, inside := range map[string]bool{"blind": false, "looked into": true} {
		t.Run(name, func(t *testing.T) {
			g := &gate{say: func(t Target) Decision { return Decision{Allowed: true, Inside: inside} }}
			p := open(t, Options{Gate: g, Private: loopback, Resolver: everywhere{}, Certificate: ca.certificate, Roots: far.pool})
			roots := map[bool]*x509.CertPool{false: far.pool, true: ca.pool}[inside]
			conn, err := grpc.NewClient("passthrough:///a.example:"+port,
				grpc.WithTransportCredentials(credentials.NewTLS(&tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12})),
				grpc.WithContextDialer(func(_ context.Context, addr string) (net.Conn, error) {
					_, c, _ := speak(t, p, "CONNECT "+addr+" HTTP/1.1\r\nHost: x\r\n"+auth+"\r\n")
					return c, nil
				}))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			c := grpc_health_v1.NewHealthClient(conn)
			if r, err := c.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: "one"}); err != nil || r.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
				t.Fatalf("%v, %v", r, err)
			}
			if _, err := c.Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: "none"}); status.Code(err) != codes.NotFound {
				t.Errorf("the status comes in a trailer: %v", err)
			}
			stream, err := c.Watch(ctx, &grpc_health_v1.HealthCheckRequest{Service: "two"})
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []grpc_health_v1.HealthCheckResponse_ServingStatus{grpc_health_v1.HealthCheckResponse_SERVICE_UNKNOWN, grpc_health_v1.HealthCheckResponse_SERVING, grpc_health_v1.HealthCheckResponse_NOT_SERVING} {
				if want != grpc_health_v1.HealthCheckResponse_SERVICE_UNKNOWN {
					state.SetServingStatus("two", want)
				}
				if r, err := stream.Recv(); err != nil || r.GetStatus() != want {
					t.Fatalf("%v, %v, want %v", r, err, want)
				}
			}
			if got := strings.Contains(g.questions(), "POST https://a.example:"+port+"/grpc.health.v1.Health/Check"); got != inside {
				t.Errorf("asked about %s", g.questions())
			}
			state.SetServingStatus("two", grpc_health_v1.HealthCheckResponse_SERVICE_UNKNOWN)
		})
	}
}
