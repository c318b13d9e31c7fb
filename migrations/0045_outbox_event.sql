-- Side effects, written with the change that causes them and done after it, so that neither comes alone.
-- +goose Up
CREATE TABLE IF NOT EXISTS `outbox_event` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `topic`          VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `event_key`      VARCHAR(96) COLLATE utf8mb4_bin NOT NULL,
  `aggregate_id`   BIGINT NOT NULL DEFAULT 0,
  `payload`        TEXT NULL DEFAULT NULL,
  `state`          TINYINT NOT NULL DEFAULT 0,
  `attempts`       INT NOT NULL DEFAULT 0,
  `available_time` DATETIME(3) NOT NULL,
  `locked_until`   DATETIME(3) NULL DEFAULT NULL,
  `locked_by`      VARCHAR(63) NULL DEFAULT NULL,
  `add_time`       DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_outbox_key` (`event_key`),
  KEY `ix_outbox_due` (`state`, `available_time`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
