-- What is really sold: one combination of specifications with its price and its free stock, which never falls below 0.
-- +goose Up
CREATE TABLE IF NOT EXISTS `goods_product` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `goods_id`       BIGINT NOT NULL,
  `specifications` TEXT NOT NULL,
  `spec_hash`      CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `price`          DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `number`         INT NOT NULL DEFAULT 0,
  `stock_mode`     TINYINT NOT NULL DEFAULT 0,
  `url`            VARCHAR(512) NULL DEFAULT NULL,
  `add_time`       DATETIME(3) NOT NULL,
  `update_time`    DATETIME(3) NOT NULL,
  `deleted`        TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`       BIGINT NOT NULL DEFAULT 0,
  `version`        INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_product_spec` (`goods_id`, `spec_hash`, `del_mark`),
  KEY `ix_product_goods` (`goods_id`, `id`, `deleted`),
  CONSTRAINT `ck_product_number` CHECK (`number` >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
