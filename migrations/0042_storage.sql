-- Uploaded objects. Only keys that stand here are ever asked of the file store.
-- +goose Up
CREATE TABLE IF NOT EXISTS `storage` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `storage_key` VARCHAR(127) COLLATE utf8mb4_bin NOT NULL,
  `name`        VARCHAR(255) NOT NULL,
  `type`        VARCHAR(127) NOT NULL,
  `size`        BIGINT NOT NULL,
  `url`         VARCHAR(512) NULL DEFAULT NULL,
  `sha256`      CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `owner_type`  TINYINT NOT NULL DEFAULT 0,
  `owner_id`    BIGINT NOT NULL DEFAULT 0,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`    BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_storage_key` (`storage_key`, `del_mark`),
  KEY `ix_storage_list` (`add_time`, `id`, `deleted`),
  KEY `ix_storage_owner` (`owner_type`, `owner_id`, `add_time`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
