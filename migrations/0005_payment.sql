-- Payments and refunds.
-- +goose Up

-- Payments: attempts to collect the money of an order; active_mark allows one at a time, and one success.
CREATE TABLE IF NOT EXISTS `payment` (
  `id`              BIGINT NOT NULL AUTO_INCREMENT,
  `order_id`        BIGINT NOT NULL,
  `user_id`         BIGINT NOT NULL,
  `out_trade_no`    VARCHAR(64) COLLATE utf8mb4_bin NOT NULL,
  `channel`         VARCHAR(16) COLLATE utf8mb4_bin NOT NULL,
  `trade_type`      VARCHAR(16) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `amount`          DECIMAL(12,2) NOT NULL,
  `status`          SMALLINT NOT NULL DEFAULT 0,
  `prepay_id`       VARCHAR(128) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `prepay_expire`   DATETIME(3) NULL DEFAULT NULL,
  `transaction_id`  VARCHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `paid_amount`     DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `refunded_amount` DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `paid_time`       DATETIME(3) NULL DEFAULT NULL,
  `active_mark`     BIGINT NOT NULL DEFAULT 0,
  `add_time`        DATETIME(3) NOT NULL,
  `update_time`     DATETIME(3) NOT NULL,
  `deleted`         TINYINT(1) NOT NULL DEFAULT 0,
  `version`         INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_pay_out` (`out_trade_no`),
  UNIQUE KEY `uk_pay_txn` (`channel`, `transaction_id`),
  UNIQUE KEY `uk_pay_active` (`order_id`, `active_mark`),
  KEY `ix_pay_status` (`status`, `update_time`, `id`),
  CONSTRAINT `ck_pay_amount` CHECK (`amount` >= 0),
  CONSTRAINT `ck_pay_paid` CHECK (`paid_amount` >= 0),
  CONSTRAINT `ck_pay_refunded` CHECK (`refunded_amount` >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Payment notifications as received, so that each is applied once and can be proved.
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

-- Refunds. The number is fixed before the platform is called, so that a retry cannot pay twice.
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
  -- The operator's call that released the refund, for the audit record if another process completes it.
  `ordered_by`        TEXT NULL DEFAULT NULL,
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
