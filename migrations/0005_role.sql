-- Operator roles. del_mark in the key frees the name of a deleted role.
-- +goose Up
CREATE TABLE IF NOT EXISTS `role` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `name`        VARCHAR(63) COLLATE utf8mb4_general_ci NOT NULL,
  `description` VARCHAR(1023) NULL DEFAULT NULL,
  `enabled`     TINYINT(1) NOT NULL DEFAULT 1,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`    BIGINT NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_role_name` (`name`, `del_mark`),
  KEY `ix_role_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
