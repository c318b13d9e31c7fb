-- The terms of a user coupon as they were when it was received; those received before the step have none.
-- +goose Up
ALTER TABLE `coupon_user`
  ADD COLUMN `name` VARCHAR(63) NULL DEFAULT NULL AFTER `seq`,
  ADD COLUMN `description` VARCHAR(255) NULL DEFAULT NULL AFTER `name`,
  ADD COLUMN `tag` VARCHAR(63) NULL DEFAULT NULL AFTER `description`,
  ADD COLUMN `discount` DECIMAL(12,2) NULL DEFAULT NULL AFTER `tag`,
  ADD COLUMN `min_amount` DECIMAL(12,2) NULL DEFAULT NULL AFTER `discount`,
  ADD COLUMN `goods_type` SMALLINT NULL DEFAULT NULL AFTER `min_amount`,
  ADD COLUMN `goods_value` TEXT NULL DEFAULT NULL AFTER `goods_type`;
