-- Says until when an order waits for a payment that takes days, such as a bank transfer.
-- +goose Up
ALTER TABLE `orders`
  ADD COLUMN `pay_before` DATETIME(3) NULL DEFAULT NULL AFTER `coupon_user_id`;
