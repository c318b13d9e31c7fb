-- A drill of make upgrade-drill switches to the column once it is filled: from here on orders are found by it.
-- +goose Up
ALTER TABLE `orders` ADD KEY `ix_drill_tail` (`drill_tail`, `id`);
