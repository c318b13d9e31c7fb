-- Since when nothing uses the upload of a shopper; null where something does, or where it is not known.
-- +goose Up
ALTER TABLE `storage` ADD COLUMN `unused_since` DATETIME(3) NULL DEFAULT NULL AFTER `owner_id`;
