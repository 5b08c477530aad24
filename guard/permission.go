package guard

import (
	"context"
)

// Permission returns a stage that asks the caller's own check who may send what. If may
// returns false, the stage rejects with Unauthorized and the reason; an error stops the text.
func Permission(may func(ctx context.Context, r *Request) (ok bool, reason string, err error)) Stage {
	return Stage{Name: "Permission", Order: OrderPermission, Check: func(ctx context.Context, r *Request) (Result, error) {
		ok, reason, err := may(ctx, r)
		if err != nil {
			return Result{}, err
		}
		if ok {
			return Allow(), nil
		}
		if reason == "" {
			reason = "you may not send this"
		}
		return Reject(Unauthorized, reason), nil
	}}
}
