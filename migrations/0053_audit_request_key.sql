-- Finds the record of a request.
-- +goose Up
ALTER TABLE `audit_log` ADD KEY `ix_audit_request` (`request_id`);
