module shop.internal/deploy/prove

go 1.26.8
