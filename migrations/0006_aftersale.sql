-- After-sale cases.
-- +goose Up

-- After-sale cases; open_mark allows one open case per order.
CREATE TABLE IF NOT EXISTS `aftersale` (
  `id`           BIGINT NOT NULL AUTO_INCREMENT,
  `aftersale_sn` VARCHAR(63) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `order_id`     BIGINT NOT NULL,
  `user_id`      BIGINT NOT NULL,
  `type`         SMALLINT NOT NULL DEFAULT 0,
  `reason`       VARCHAR(255) NOT NULL DEFAULT '',
  `amount`       DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `pictures`     TEXT NULL DEFAULT NULL,
  `comment`      VARCHAR(511) NOT NULL DEFAULT '',
  `status`       SMALLINT NOT NULL DEFAULT 0,
  `handle_time`  DATETIME(3) NULL DEFAULT NULL,
  `handler_id`   BIGINT NOT NULL DEFAULT 0,
  `open_mark`    BIGINT NOT NULL DEFAULT 0,
  `add_time`     DATETIME(3) NOT NULL,
  `update_time`  DATETIME(3) NOT NULL,
  `deleted`      TINYINT(1) NOT NULL DEFAULT 0,
  `version`      INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_as_sn` (`aftersale_sn`),
  UNIQUE KEY `uk_as_open` (`order_id`, `open_mark`),
  KEY `ix_as_user` (`user_id`, `status`, `add_time`, `id`, `deleted`),
  KEY `ix_as_status` (`status`, `add_time`, `id`, `deleted`),
  KEY `ix_as_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
