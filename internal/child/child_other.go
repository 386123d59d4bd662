//go:build !unix

package child

import "os/exec"

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

// orphaned cannot be told here.
func orphaned(int) bool { return false }
