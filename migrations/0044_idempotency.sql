-- First answers of requests that must not run twice; the second request gets the stored one.
-- +goose Up
CREATE TABLE IF NOT EXISTS `idempotency` (
  `id`           BIGINT NOT NULL AUTO_INCREMENT,
  `scope`        VARCHAR(32) COLLATE utf8mb4_bin NOT NULL,
  `owner_id`     BIGINT NOT NULL,
  `idem_key`     VARCHAR(96) COLLATE utf8mb4_bin NOT NULL,
  `request_hash` CHAR(64) COLLATE utf8mb4_bin NOT NULL,
  `state`        TINYINT NOT NULL DEFAULT 0,
  `response`     TEXT NULL DEFAULT NULL,
  `expire_time`  DATETIME(3) NOT NULL,
  `add_time`     DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_idem` (`scope`, `owner_id`, `idem_key`),
  KEY `ix_idem_expire` (`expire_time`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
