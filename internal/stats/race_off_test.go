//go:build !race

package stats

const underRace = false
