//go:build unix

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the child the leader of a process group, which its own
// children join.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) error {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		return err
	}
	return nil
}

// orphaned reports whether the parent has ended: its child is then another's.
func orphaned(parent int) bool { return os.Getppid() != parent }
