-- Lists audit records by table, and those of an operator by table, by time.
-- +goose Up
ALTER TABLE `audit_log`
  ADD KEY `ix_audit_table` (`target_type`, `add_time`, `id`),
  ADD KEY `ix_audit_admin_table` (`admin_id`, `target_type`, `add_time`, `id`);
