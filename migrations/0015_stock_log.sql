-- Every change of every stock. Its key makes taking and giving back happen once, however often it is tried.
-- +goose Up
CREATE TABLE IF NOT EXISTS `stock_log` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `product_id`     BIGINT NOT NULL,
  `order_id`       BIGINT NOT NULL DEFAULT 0,
  `order_goods_id` BIGINT NOT NULL DEFAULT 0,
  `reason`         SMALLINT NOT NULL,
  `delta`          INT NOT NULL,
  `ref_key`        VARCHAR(96) COLLATE utf8mb4_bin NOT NULL,
  `operator_type`  TINYINT NOT NULL DEFAULT 0,
  `operator_id`    BIGINT NOT NULL DEFAULT 0,
  `add_time`       DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_stock_ref` (`ref_key`),
  KEY `ix_stock_product` (`product_id`, `add_time`, `id`),
  KEY `ix_stock_order` (`order_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
