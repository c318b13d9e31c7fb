-- Finds the payment notifications that staff must settle, with what they said.
-- +goose Up
ALTER TABLE `payment_notify`
  ADD COLUMN `amount` decimal(12,2) DEFAULT NULL AFTER `result`,
  ADD COLUMN `reason` varchar(255) NOT NULL DEFAULT '' AFTER `amount`,
  ADD KEY `ix_notify_result` (`result`, `add_time`, `id`);
