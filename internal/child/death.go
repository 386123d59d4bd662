package child

// Kind is how a job failed.
type Kind string

// The kinds of failure.
const (
	NotStarted   Kind = "not started"    // the process could not be started
	NotReached   Kind = "not reached"    // it ended, or was killed at its time limit, before it reached Serve
	OtherVersion Kind = "other version"  // it is another build, or speaks another version of the protocol
	Refused      Kind = "refused"        // the handler returned an error
	Panicked     Kind = "panic"          // an unrecovered panic or another fatal error of the runtime
	StackFull    Kind = "stack overflow" //
	OutOfMemory  Kind = "out of memory"  //
	Killed       Kind = "killed"         // by a signal that was not ours
	TimedOut     Kind = "time limit"     // and was killed by us
	Exited       Kind = "exited"         // called os.Exit, or returned, before the job was done
	BadAnswer    Kind = "bad answer"     // the result file is damaged
	Cancelled    Kind = "cancelled"      // the context was done
)

// Death says why a job was not done.
type Death struct {
	Kind   Kind
	Reason string
	Stderr string // the end of what the child wrote to standard error
}

// Error gives the kind, the reason and the end of standard error.
func (d *Death) Error() string {
	text := "child process: " + string(d.Kind) + ": " + d.Reason
	if d.Stderr != "" {
		text += "; standard error ends: " + d.Stderr
	}
	return text
}
