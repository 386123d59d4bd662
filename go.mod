module github.com/serbench/serbench

go 1.26.0

require (
	github.com/mailru/easyjson v0.9.2
	github.com/rivo/uniseg v0.4.7
	github.com/stretchr/testify v1.12.1
	github.com/tinylib/msgp v1.6.5
	github.com/ugorji/go/codec v1.3.2
)

require (
	github.com/josharian/intern v1.0.0 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/mod v0.31.0 // indirect
	golang.org/x/sync v0.19.0 // indirect
	golang.org/x/tools v0.40.1-0.20260108161641-ca281cf95054 // indirect
)

tool (
	github.com/mailru/easyjson/easyjson
	github.com/tinylib/msgp
)
