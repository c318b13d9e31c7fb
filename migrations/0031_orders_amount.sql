-- Lists orders by what was charged.
-- +goose Up
ALTER TABLE `orders`
  ADD KEY `ix_orders_amount` (`actual_price`, `id`, `deleted`);
