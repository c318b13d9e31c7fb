-- What shoppers mean to buy, one line for a shopper and a product for ever: deleting flags it, adding revives it.
-- +goose Up
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
