package hook

// Answered is added to the exit status that the client is to see, when umpire answers
// for umpire-hook: a crash, a panic or a usage error has a status below, and then what
// was printed is no answer.
const Answered = 40
