-- Keeps what staff remark about an order, and when its packing slip was printed.
-- +goose Up
CREATE TABLE IF NOT EXISTS `order_note` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `order_id` BIGINT NOT NULL,
  `admin_id` BIGINT NOT NULL,
  `kind` TINYINT NOT NULL,
  `content` VARCHAR(511) NOT NULL DEFAULT '',
  `add_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_order_note` (`order_id`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
