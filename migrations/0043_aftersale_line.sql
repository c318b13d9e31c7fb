-- The lines that an after-sale case is about; one about the whole order has none.
-- +goose Up
CREATE TABLE IF NOT EXISTS `aftersale_line` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `aftersale_id`   BIGINT NOT NULL,
  `order_goods_id` BIGINT NOT NULL,
  `number`         INT NOT NULL,
  `worth`          DECIMAL(12,2) NOT NULL,
  `amount`         DECIMAL(12,2) NOT NULL,
  `product_id`     BIGINT NOT NULL DEFAULT 0,
  `sent_id`        BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_al_line` (`aftersale_id`, `order_goods_id`),
  KEY `ix_al_sent` (`sent_id`),
  KEY `ix_al_goods` (`order_goods_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
