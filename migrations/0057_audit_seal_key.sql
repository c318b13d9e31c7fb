-- No two records share a place in the chain.
-- +goose Up
ALTER TABLE `audit_log` ADD UNIQUE KEY `uk_audit_seal` (`seal_no`);
