-- Descriptive parameters of goods, such as material or weight; nobody chooses by them.
-- +goose Up
CREATE TABLE IF NOT EXISTS `goods_attribute` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `goods_id`    BIGINT NOT NULL,
  `attribute`   VARCHAR(255) NOT NULL,
  `value`       VARCHAR(255) NOT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_attr_goods` (`goods_id`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
