-- A record of the purges of audit records that were made before purges were recorded.
-- +goose Up
INSERT INTO `audit_log` (`admin_id`, `admin_name`, `ip`, `permission`, `method_path`, `target_type`, `target_id`,
  `after_json`, `errno`, `request_id`, `add_time`)
SELECT 0, '', '', '', 'purge', 'audit_log', c.`total`, CONCAT('{"purged":', c.`total`, '}'), 0, '', UTC_TIMESTAMP(3)
FROM `list_counter` c
WHERE c.`scope` = 'audit:purged' AND c.`total` > 0;
