-- The seal: a hash over the record, its place and the seal before it.
-- +goose Up
ALTER TABLE `audit_log` ADD COLUMN `seal_hash` CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL;
