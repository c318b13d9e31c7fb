-- Reads the cart of a shopper without what was bought or removed before.
-- +goose Up
ALTER TABLE `cart` ADD KEY `ix_cart_owner` (`user_id`, `deleted`, `id`);
