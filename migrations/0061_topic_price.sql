-- Yields topics in the order of their prices, by which operators may sort them.
-- +goose Up
ALTER TABLE `topic` ADD KEY `ix_topic_price` (`price`, `id`, `deleted`);
