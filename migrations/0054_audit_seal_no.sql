-- The place of a record in the chain of seals; set once, after the record was written.
-- +goose Up
ALTER TABLE `audit_log` ADD COLUMN `seal_no` BIGINT NULL DEFAULT NULL;
