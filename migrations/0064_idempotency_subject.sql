-- The work that a claimed key waits for, where it ends after the transaction that has begun it.
-- +goose Up
ALTER TABLE `idempotency` ADD COLUMN `subject` VARCHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL AFTER `response`;
