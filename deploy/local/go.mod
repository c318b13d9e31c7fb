module shop.internal/deploy/local

go 1.26.8

require github.com/go-sql-driver/mysql v1.10.1

require filippo.io/edwards25519 v1.2.0 // indirect
