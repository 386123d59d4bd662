// Package model belongs to the scaffold's tests: a type with whatever types
// have in practice.
package model

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"sync"
	"time"

	"example.com/shop/internal/money"
)

// Status of an order.
type Status string

// The statuses.
const (
	New  Status = "new"
	Paid Status = "paid"
	Sent        = Status("sent \"away\"")
)

type level int8

const (
	low level = iota - 1
	mid
	high
)

// Order is the one that is copied.
type Order struct {
	audit
	*Meta  `json:"meta"`
	ID     int64             `json:"id"`
	Status Status            `json:"status"`
	Paid   money.Status      `json:"paid"`
	Total  money.Amount      `json:"total"`
	Items  []*Item           `json:"items,omitempty"`
	Tags   map[string]string `json:"tags"`
	Level  level             `json:"level"`
	At     time.Time         `json:"at"`
	Raw    json.RawMessage   `json:"raw"`
	Any    any               `json:"any"`
	PAny   *any              `json:"p_any"`
	Inline struct {
		X, Y float64
	} `json:"inline"`
	Page   Page[Item] `json:"page"`
	Parent *Order     `json:"parent"`

	mu     sync.Mutex
	cache  map[string]int
	Lock   sync.RWMutex        `json:"-"`
	Done   chan struct{}       `json:"-"`
	Hook   func(*Order)        `json:"-"`
	Hooks  map[string][]func() `json:"-"`
	Out    io.Writer           `json:"-"`
	Ctx    context.Context     `json:"-"`
	Err    error               `json:"-"`
	Opaque opaque              `json:"-"`
	Flags  *flag.FlagSet       `json:"-"`
	Cancel context.CancelFunc  `json:"-"`
}

type audit struct {
	By string `json:"by"`
}

// Meta is embedded by pointer.
type Meta struct {
	Version int `json:"version"`
}

// Item of an order.
type Item struct {
	Name  string  `json:"name"`
	Price float64 `json:"price"`
}

// Page is generic.
type Page[T any] struct {
	Values []T `json:"values"`
	Next   int `json:"next"`
}

type opaque struct{ a, b int }

// Handler cannot be carried at all.
type Handler func()

// Number is no type.
const Number = 1

func (o *Order) use() (map[string]int, level) { o.mu.Lock(); return o.cache, low + mid + high }
