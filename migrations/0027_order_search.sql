-- Finds orders by the mobile number, the parcel and the number of the payment platform.
-- +goose Up
-- The columns keep their collation, which a key has to name.
ALTER TABLE `orders`
  MODIFY COLUMN `mobile` VARCHAR(63) COLLATE utf8mb4_general_ci NOT NULL,
  MODIFY COLUMN `ship_sn` VARCHAR(63) COLLATE utf8mb4_general_ci NULL DEFAULT NULL,
  ADD KEY `ix_orders_mobile` (`mobile`, `id`),
  ADD KEY `ix_orders_parcel` (`ship_sn`, `id`),
  ADD KEY `ix_orders_pay` (`pay_id`, `id`);
