-- Goods have a weight in grams, and name the freight template by which their delivery is charged.
-- +goose Up
ALTER TABLE `goods`
  ADD COLUMN `weight` INT NOT NULL DEFAULT 0 AFTER `unit`,
  ADD COLUMN `freight_id` BIGINT NOT NULL DEFAULT 0 AFTER `weight`,
  ADD KEY `ix_goods_freight` (`freight_id`, `add_time`, `id`, `deleted`, `is_on_sale`);
