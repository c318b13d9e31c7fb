-- Operator accounts, apart from shoppers because neither may ever log in where the other does.
-- +goose Up
CREATE TABLE IF NOT EXISTS `admin` (
  `id`              BIGINT NOT NULL AUTO_INCREMENT,
  `username`        VARCHAR(63) NOT NULL,
  `username_key`    VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
  `password_hash`   VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
  `last_login_ip`   VARCHAR(63) NULL DEFAULT '',
  `last_login_time` DATETIME(3) NULL DEFAULT NULL,
  `avatar`          VARCHAR(512) NULL DEFAULT '',
  `status`          TINYINT NOT NULL DEFAULT 0,
  `token_version`   INT NOT NULL DEFAULT 0,
  `add_time`        DATETIME(3) NOT NULL,
  `update_time`     DATETIME(3) NOT NULL,
  `deleted`         TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`        BIGINT NOT NULL DEFAULT 0,
  `version`         INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_admin_name` (`username_key`, `del_mark`),
  KEY `ix_admin_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
