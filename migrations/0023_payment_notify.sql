-- Notices of payment platforms, kept as they came, so that each is applied once and can be proved.
-- +goose Up
CREATE TABLE IF NOT EXISTS `payment_notify` (
  `id`           BIGINT NOT NULL AUTO_INCREMENT,
  `channel`      VARCHAR(16) COLLATE utf8mb4_bin NOT NULL,
  `notify_id`    VARCHAR(96) COLLATE utf8mb4_bin NOT NULL,
  `kind`         TINYINT NOT NULL,
  `out_no`       VARCHAR(64) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `signature_ok` TINYINT(1) NOT NULL,
  `result`       SMALLINT NOT NULL DEFAULT 0,
  `body`         MEDIUMTEXT NULL DEFAULT NULL,
  `add_time`     DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_notify` (`channel`, `notify_id`),
  KEY `ix_notify_out` (`out_no`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
