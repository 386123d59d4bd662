//go:build !race

package hostinfo

const raceDetector = false
