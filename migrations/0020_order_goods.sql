-- The lines of orders, as the goods were when they were bought, whatever becomes of the goods later.
-- +goose Up
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
