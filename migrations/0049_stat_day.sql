-- Figures of a day, computed when one of its orders moves, so that statistics do not read all orders.
-- +goose Up
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
