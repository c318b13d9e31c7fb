-- Keeps what the bank or the till calls a payment that staff have recorded.
-- +goose Up
ALTER TABLE `payment`
  ADD COLUMN `reference` VARCHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL AFTER `transaction_id`;
