-- What a role may do, one grant a row; the key keeps a grant from being stored twice.
-- +goose Up
CREATE TABLE IF NOT EXISTS `permission` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `role_id`     BIGINT NOT NULL,
  `permission`  VARCHAR(127) COLLATE utf8mb4_bin NOT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`    BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_perm_role` (`role_id`, `permission`, `del_mark`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
