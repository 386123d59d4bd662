package zoo_test

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/payloads/zoo"
)

// Every kind of value, of which a format may lose some: what it does not lose
// it has to keep by the rules.
func TestTheKitOnEveryKind(t *testing.T) {
	var all []serbench.Payload
	for _, c := range zoo.Cases() {
		all = append(all, c.Payload)
	}
	for _, c := range []serbench.Codec{stdlib.JSON(), msgp.New()} {
		t.Run(c.Name(), func(t *testing.T) { codectest.Kit{AllowLoss: true}.Run(t, c, all...) })
	}
}
