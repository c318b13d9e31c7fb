-- Notices to operators; what each of them received is in notice_admin.
-- +goose Up
CREATE TABLE IF NOT EXISTS `notice` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `title`       VARCHAR(63) NULL DEFAULT NULL,
  `content`     MEDIUMTEXT NULL DEFAULT NULL,
  `admin_id`    BIGINT NOT NULL DEFAULT 0,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_notice_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
