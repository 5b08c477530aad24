package cli

// Exit statuses of a review.
const (
	ReviewFound       = 1
	ReviewIncomplete  = 3
	ReviewNoIsolation = 4
	ReviewInterrupted = 130
)
