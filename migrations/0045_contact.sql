-- A shop that never entered its own name and contact had those of another: they are empty, and not shown while they are.
-- +goose Up
UPDATE `system_config` SET `key_value` = '', `version` = `version` + 1
WHERE (`key_name` = 'litemall_mall_name' AND `key_value` = 'litemall')
  OR (`key_name` = 'litemall_mall_address' AND `key_value` IN ('上海', 'Shanghai'))
  OR (`key_name` = 'litemall_mall_phone' AND `key_value` = '021-xxxx-xxxx')
  OR (`key_name` = 'litemall_mall_qq' AND `key_value` = '705144434')
  OR (`key_name` = 'litemall_mall_longitude' AND `key_value` = '121.587839')
  OR (`key_name` = 'litemall_mall_latitude' AND `key_value` = '31.201900');
