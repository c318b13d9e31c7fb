module shop.internal/deploy/walk

go 1.26.8
