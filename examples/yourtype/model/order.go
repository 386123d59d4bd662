// Package model stands for the one that holds your types.
package model

import "time"

// msgp: "tag json" takes the fields' names from their json tags, -tests=false
// leaves out a benchmark file that nobody reads. easyjson: -no_std_marshalers
// leaves out MarshalJSON and UnmarshalJSON; with them encoding/json and every
// other JSON library would call easyjson, and be measured as it by a detour.

//go:generate go tool msgp -file order.go -o order_msgp.go -tests=false -d "tag json" -v
//go:generate go tool easyjson -all -no_std_marshalers -output_filename order_easyjson.go order.go

// Order has methods that msgp and easyjson generate.
type Order struct {
	ID       int64     `json:"id"`
	Customer Customer  `json:"customer"`
	Items    []Item    `json:"items"`
	Note     *string   `json:"note,omitempty"`
	Paid     bool      `json:"paid"`
	At       time.Time `json:"at"`
}

// Customer of an order.
type Customer struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// Item of an order.
type Item struct {
	SKU   string  `json:"sku"`
	Count int     `json:"count"`
	Price float64 `json:"price"`
}
