-- Marks a division that the official list no longer names. Its row stays: a code that comes back finds its id again.
-- +goose Up
ALTER TABLE `region` ADD COLUMN `retired` TINYINT(1) NOT NULL DEFAULT 0;
