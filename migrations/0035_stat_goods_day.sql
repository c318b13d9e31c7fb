-- What was sold of goods, by the day of the order: the 500 goods of each day that sold most.
-- +goose Up
CREATE TABLE IF NOT EXISTS `stat_goods_day` (
  `day`      DATE NOT NULL,
  `goods_id` BIGINT NOT NULL,
  `pieces`   BIGINT NOT NULL DEFAULT 0,
  `orders`   INT NOT NULL DEFAULT 0,
  `amount`   DECIMAL(18,2) NOT NULL DEFAULT 0.00,
  PRIMARY KEY (`day`, `goods_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
