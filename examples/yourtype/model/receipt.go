package model

import "time"

// Receipt has no generated methods: nobody has added a go:generate line.
type Receipt struct {
	OrderID int64     `json:"order_id"`
	Amount  float64   `json:"amount"`
	At      time.Time `json:"at"`
}
