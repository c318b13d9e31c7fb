-- The stock of a product that everybody buys at once, split so that buyers do not queue for a single row.
-- +goose Up
CREATE TABLE IF NOT EXISTS `stock_bucket` (
  `product_id`  BIGINT NOT NULL,
  `bucket_no`   SMALLINT NOT NULL,
  `available`   INT NOT NULL DEFAULT 0,
  `update_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`product_id`, `bucket_no`),
  CONSTRAINT `ck_bucket_available` CHECK (`available` >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
