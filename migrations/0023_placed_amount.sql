-- What an order asks for when it is placed, also apart from the order, so that a later change of it is seen.
-- +goose Up
ALTER TABLE `order_status_log` ADD COLUMN `amount` DECIMAL(12,2) NULL DEFAULT NULL AFTER `reason`;
