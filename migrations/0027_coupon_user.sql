-- Coupons that shoppers have. Ids start high, so that a client never takes one for the id of a coupon.
-- +goose Up
CREATE TABLE IF NOT EXISTS `coupon_user` (
  `id`            BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`       BIGINT NOT NULL,
  `coupon_id`     BIGINT NOT NULL,
  `seq`           INT NOT NULL,
  `status`        SMALLINT NOT NULL DEFAULT 0,
  `used_time`     DATETIME(3) NULL DEFAULT NULL,
  `start_time`    DATETIME(3) NULL DEFAULT NULL,
  `end_time`      DATETIME(3) NULL DEFAULT NULL,
  `order_id`      BIGINT NULL DEFAULT NULL,
  `last_order_id` BIGINT NULL DEFAULT NULL,
  `add_time`      DATETIME(3) NOT NULL,
  `update_time`   DATETIME(3) NOT NULL,
  `deleted`       TINYINT(1) NOT NULL DEFAULT 0,
  `version`       INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_cu_seq` (`user_id`, `coupon_id`, `seq`),
  UNIQUE KEY `uk_cu_order` (`order_id`),
  KEY `ix_cu_user` (`user_id`, `status`, `add_time`, `id`, `deleted`),
  KEY `ix_cu_coupon` (`coupon_id`, `add_time`, `id`, `deleted`),
  KEY `ix_cu_expire` (`status`, `end_time`, `id`)
) ENGINE = InnoDB AUTO_INCREMENT = 10000001 DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
