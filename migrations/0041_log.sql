-- What operators did, in words, for the page that lists it; the values they changed are in audit_log.
-- +goose Up
CREATE TABLE IF NOT EXISTS `log` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `admin`       VARCHAR(63) COLLATE utf8mb4_general_ci NULL DEFAULT NULL,
  `ip`          VARCHAR(63) NULL DEFAULT NULL,
  `type`        INT NULL DEFAULT NULL,
  `action`      VARCHAR(63) NULL DEFAULT NULL,
  `status`      TINYINT(1) NULL DEFAULT NULL,
  `result`      VARCHAR(255) NULL DEFAULT NULL,
  `comment`     VARCHAR(255) NULL DEFAULT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_log_list` (`add_time`, `id`, `deleted`),
  KEY `ix_log_admin` (`admin`, `add_time`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
