-- The boxes of operators: a copy of a notice for each receiver, with the time it was read.
-- +goose Up
CREATE TABLE IF NOT EXISTS `notice_admin` (
  `id`           BIGINT NOT NULL AUTO_INCREMENT,
  `notice_id`    BIGINT NOT NULL,
  `notice_title` VARCHAR(63) NULL DEFAULT NULL,
  `admin_id`     BIGINT NOT NULL,
  `read_time`    DATETIME(3) NULL DEFAULT NULL,
  `add_time`     DATETIME(3) NOT NULL,
  `update_time`  DATETIME(3) NOT NULL,
  `deleted`      TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`     BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_na` (`notice_id`, `admin_id`, `del_mark`),
  KEY `ix_na_admin` (`admin_id`, `read_time`, `add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
