-- The seal of the record before it in the chain.
-- +goose Up
ALTER TABLE `audit_log` ADD COLUMN `seal_prev` CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL;
