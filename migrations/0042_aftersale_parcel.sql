-- An after-sale case has the answer of staff, the parcel that comes back, and the one that is sent in exchange.
-- +goose Up
ALTER TABLE `aftersale`
  ADD COLUMN `answer` VARCHAR(255) NOT NULL DEFAULT '' AFTER `handler_id`,
  ADD COLUMN `back_channel` VARCHAR(63) NULL DEFAULT NULL AFTER `answer`,
  ADD COLUMN `back_sn` VARCHAR(63) NULL DEFAULT NULL AFTER `back_channel`,
  ADD COLUMN `back_time` DATETIME(3) NULL DEFAULT NULL AFTER `back_sn`,
  ADD COLUMN `arrive_time` DATETIME(3) NULL DEFAULT NULL AFTER `back_time`,
  ADD COLUMN `sent_channel` VARCHAR(63) NULL DEFAULT NULL AFTER `arrive_time`,
  ADD COLUMN `sent_sn` VARCHAR(63) NULL DEFAULT NULL AFTER `sent_channel`;
