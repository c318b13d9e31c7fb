-- The request that a record of an operator's change belongs to; the request log names it too.
-- +goose Up
ALTER TABLE `audit_log` ADD COLUMN `request_id` VARCHAR(63) COLLATE utf8mb4_bin NOT NULL DEFAULT '';
