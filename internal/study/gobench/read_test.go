package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadBenchstat(t *testing.T) {
	const head = "goos: linux\n,side0.txt,,side1.txt\n,sec/op,CI,sec/op,CI,vs base,P\n"
	for _, test := range []struct {
		name, row, called string
		log               float64
	}{
		{"significant", "Op-2,1e-06,1%,1.02e-06,2%,+2.00%,p=0.001 n=10", "slower", math.Log(1.02)},
		{"the other way", "Op-2,1e-06,1%,9e-07,2%,-10.00%,p=0.001 n=10", "faster", math.Log(0.9)},
		{"not significant", "Op-2,1e-06,1%,1.02e-06,2%,~,p=0.3 n=10", "undecided", math.Log(1.02)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got trial
			require.NoError(t, got.read(head+test.row+"\ngeomean,1e-06,,1e-06,,+0%\n"))
			assert.Equal(t, test.called, got.Called)
			assert.InDelta(t, test.log, got.Log, 1e-9)
		})
	}
	var got trial
	assert.Error(t, got.read("nothing\n"))
}
