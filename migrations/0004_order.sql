-- Carts and orders.
-- +goose Up

-- Cart items, one row per shopper and product for ever: removing sets a flag, adding clears it.
CREATE TABLE IF NOT EXISTS `cart` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`        BIGINT NOT NULL,
  `goods_id`       BIGINT NOT NULL,
  `goods_sn`       VARCHAR(63) NOT NULL DEFAULT '',
  `goods_name`     VARCHAR(127) NOT NULL DEFAULT '',
  `product_id`     BIGINT NOT NULL,
  `price`          DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `number`         INT NOT NULL DEFAULT 1,
  `specifications` TEXT NULL DEFAULT NULL,
  `checked`        TINYINT(1) NOT NULL DEFAULT 1,
  `pic_url`        VARCHAR(512) NULL DEFAULT NULL,
  `add_time`       DATETIME(3) NOT NULL,
  `update_time`    DATETIME(3) NOT NULL,
  `deleted`        TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_cart_user_product` (`user_id`, `product_id`),
  KEY `ix_cart_goods` (`goods_id`, `deleted`),
  KEY `ix_cart_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Orders with their amounts and dates. There is a key for each list and each job, with the flags last.
CREATE TABLE IF NOT EXISTS `orders` (
  `id`               BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`          BIGINT NOT NULL,
  `order_sn`         VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `src_order_sn`     VARCHAR(63) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `order_status`     SMALLINT NOT NULL,
  `aftersale_status` SMALLINT NOT NULL DEFAULT 0,
  `consignee`        VARCHAR(63) COLLATE utf8mb4_general_ci NOT NULL,
  `mobile`           VARCHAR(63) NOT NULL,
  `address`          VARCHAR(511) NOT NULL,
  `message`          VARCHAR(512) NOT NULL DEFAULT '',
  `goods_price`      DECIMAL(12,2) NOT NULL,
  `freight_price`    DECIMAL(12,2) NOT NULL,
  `coupon_price`     DECIMAL(12,2) NOT NULL,
  `integral_price`   DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `groupon_price`    DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `order_price`      DECIMAL(12,2) NOT NULL,
  `actual_price`     DECIMAL(12,2) NOT NULL,
  `coupon_user_id`   BIGINT NOT NULL DEFAULT 0,
  `pay_channel`      VARCHAR(16) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `pay_id`           VARCHAR(63) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `pay_time`         DATETIME(3) NULL DEFAULT NULL,
  `ship_sn`          VARCHAR(63) NULL DEFAULT NULL,
  `ship_channel`     VARCHAR(63) NULL DEFAULT NULL,
  `ship_time`        DATETIME(3) NULL DEFAULT NULL,
  `refund_amount`    DECIMAL(12,2) NULL DEFAULT NULL,
  `refund_type`      VARCHAR(63) NULL DEFAULT NULL,
  `refund_content`   VARCHAR(255) NULL DEFAULT NULL,
  `refund_time`      DATETIME(3) NULL DEFAULT NULL,
  `confirm_time`     DATETIME(3) NULL DEFAULT NULL,
  `comments`         INT NOT NULL DEFAULT 0,
  `end_time`         DATETIME(3) NULL DEFAULT NULL,
  `user_deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `add_time`         DATETIME(3) NOT NULL,
  `update_time`      DATETIME(3) NOT NULL,
  `deleted`          TINYINT(1) NOT NULL DEFAULT 0,
  `version`          INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_orders_sn` (`order_sn`),
  KEY `ix_orders_user` (`user_id`, `add_time`, `id`, `deleted`, `user_deleted`, `order_status`, `comments`),
  KEY `ix_orders_time` (`add_time`, `id`, `deleted`),
  KEY `ix_orders_st` (`order_status`, `add_time`, `id`, `deleted`),
  KEY `ix_orders_ship` (`order_status`, `ship_time`, `id`),
  KEY `ix_orders_comment` (`comments`, `confirm_time`, `id`),
  KEY `ix_orders_consignee` (`consignee`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Order lines, with the goods as they were when they were bought.
CREATE TABLE IF NOT EXISTS `order_goods` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `order_id`       BIGINT NOT NULL,
  `goods_id`       BIGINT NOT NULL,
  `goods_name`     VARCHAR(127) NOT NULL DEFAULT '',
  `goods_sn`       VARCHAR(63) NOT NULL DEFAULT '',
  `product_id`     BIGINT NOT NULL,
  `number`         INT NOT NULL,
  `price`          DECIMAL(12,2) NOT NULL,
  `discount_share` DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `specifications` TEXT NOT NULL,
  `pic_url`        VARCHAR(512) NOT NULL DEFAULT '',
  `comment_id`     BIGINT NOT NULL DEFAULT 0,
  `add_time`       DATETIME(3) NOT NULL,
  `update_time`    DATETIME(3) NOT NULL,
  `deleted`        TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_og_order` (`order_id`, `goods_id`, `id`),
  KEY `ix_og_goods` (`goods_id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The transitions of orders: who, when, from which status to which; for disputes.
CREATE TABLE IF NOT EXISTS `order_status_log` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `order_id`    BIGINT NOT NULL,
  `from_status` SMALLINT NOT NULL,
  `to_status`   SMALLINT NOT NULL,
  `actor_type`  TINYINT NOT NULL,
  `actor_id`    BIGINT NOT NULL DEFAULT 0,
  `reason`      VARCHAR(255) NOT NULL DEFAULT '',
  `add_time`    DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_osl_order` (`order_id`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
