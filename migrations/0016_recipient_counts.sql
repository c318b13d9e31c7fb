-- Counts the orders of a recipient's name without reading their rows.
-- +goose Up
ALTER TABLE `orders` DROP KEY `ix_orders_consignee`, ADD KEY `ix_orders_consignee` (`consignee`, `id`, `deleted`);
