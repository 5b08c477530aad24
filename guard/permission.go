package guard

import (
	"cmp"
	"context"
)

// Permission returns a stage that calls may to decide whether a user may send a request. If may
// returns false, the stage rejects with Unauthorized and the reason. An error also rejects.
func Permission(may func(ctx context.Context, r *Request) (ok bool, reason string, err error)) Stage {
	return Stage{Name: "Permission", Order: OrderPermission, Check: func(ctx context.Context, r *Request) (Result, error) {
		ok, reason, err := may(ctx, r)
		if err != nil {
			return Result{}, err
		}
		if ok {
			return Allow(), nil
		}
		reason = cmp.Or(reason, "you are not allowed to send this")
		return Reject(Unauthorized, reason), nil
	}}
}
