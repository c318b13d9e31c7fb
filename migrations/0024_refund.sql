-- Money on its way back. Its number is fixed before the platform is called, so that a retry cannot pay twice.
-- +goose Up
CREATE TABLE IF NOT EXISTS `refund` (
  `id`                BIGINT NOT NULL AUTO_INCREMENT,
  `out_refund_no`     VARCHAR(64) COLLATE utf8mb4_bin NOT NULL,
  `order_id`          BIGINT NOT NULL,
  `payment_id`        BIGINT NOT NULL DEFAULT 0,
  `aftersale_id`      BIGINT NOT NULL DEFAULT 0,
  `user_id`           BIGINT NOT NULL,
  `amount`            DECIMAL(12,2) NOT NULL,
  `reason`            VARCHAR(255) NOT NULL DEFAULT '',
  `status`            SMALLINT NOT NULL DEFAULT 0,
  `channel_refund_id` VARCHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `attempts`          INT NOT NULL DEFAULT 0,
  `last_error`        VARCHAR(255) NOT NULL DEFAULT '',
  `operator_id`       BIGINT NOT NULL DEFAULT 0,
  `done_time`         DATETIME(3) NULL DEFAULT NULL,
  `active_mark`       BIGINT NOT NULL DEFAULT 0,
  `add_time`          DATETIME(3) NOT NULL,
  `update_time`       DATETIME(3) NOT NULL,
  `deleted`           TINYINT(1) NOT NULL DEFAULT 0,
  `version`           INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_refund_out` (`out_refund_no`),
  UNIQUE KEY `uk_refund_active` (`order_id`, `payment_id`, `aftersale_id`, `active_mark`),
  KEY `ix_refund_status` (`status`, `update_time`, `id`),
  CONSTRAINT `ck_refund_amount` CHECK (`amount` >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
