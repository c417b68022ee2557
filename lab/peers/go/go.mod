module girih/lab/peers/go

go 1.25.0

require (
	filippo.io/mldsa v1.0.0
	github.com/cloudflare/circl v1.6.5
)

require golang.org/x/sys v0.47.0 // indirect
