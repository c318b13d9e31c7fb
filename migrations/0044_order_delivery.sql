-- An order names the way of its delivery: 0 a parcel, 1 collected in the shop by a code that staff check off, 2 a courier.
-- +goose Up
ALTER TABLE `orders`
  ADD COLUMN `delivery` SMALLINT NOT NULL DEFAULT 0 AFTER `message`,
  ADD COLUMN `collect_code` VARCHAR(8) COLLATE utf8mb4_bin NULL DEFAULT NULL AFTER `delivery`,
  ADD COLUMN `collect_address` VARCHAR(127) NOT NULL DEFAULT '' AFTER `collect_code`,
  ADD COLUMN `collect_hours` VARCHAR(127) NOT NULL DEFAULT '' AFTER `collect_address`,
  ADD UNIQUE KEY `uk_orders_collect` (`collect_code`),
  ADD KEY `ix_orders_delivery` (`delivery`, `add_time`, `id`, `deleted`);
