-- Settings that the owner may change while the shop runs.
-- +goose Up
CREATE TABLE IF NOT EXISTS `system_config` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `key_name`    VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
  `key_value`   VARCHAR(2000) NOT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`    BIGINT NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_sys_key` (`key_name`, `del_mark`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
