-- The operator's call that has sent the money on its way, for the record of whoever finishes the refund without him.
-- +goose Up
ALTER TABLE `refund` ADD COLUMN `ordered_by` TEXT NULL DEFAULT NULL AFTER `active_mark`;
