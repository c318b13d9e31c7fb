-- Aggregates that are too slow to compute each time.
-- +goose Up

-- Daily statistics, recomputed when an order of the day changes, so that reports do not read all orders.
CREATE TABLE IF NOT EXISTS `stat_day` (
  `day`            DATE NOT NULL,
  `users`          INT NOT NULL DEFAULT 0,
  `orders`         INT NOT NULL DEFAULT 0,
  `customers`      INT NOT NULL DEFAULT 0,
  `amount`         DECIMAL(18,2) NOT NULL DEFAULT 0.00,
  `goods_orders`   INT NOT NULL DEFAULT 0,
  `goods_products` BIGINT NOT NULL DEFAULT 0,
  `goods_amount`   DECIMAL(18,2) NOT NULL DEFAULT 0.00,
  `refresh_time`   DATETIME(3) NOT NULL,
  PRIMARY KEY (`day`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Cached totals of long lists, because counting millions of rows for every page is too slow.
CREATE TABLE IF NOT EXISTS `list_counter` (
  `scope`        VARCHAR(127) COLLATE utf8mb4_bin NOT NULL,
  `total`        BIGINT NOT NULL,
  `refresh_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`scope`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
