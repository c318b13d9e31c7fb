-- The values a shopper chooses from, such as colours and sizes; a product is one value of each group.
-- +goose Up
CREATE TABLE IF NOT EXISTS `goods_specification` (
  `id`            BIGINT NOT NULL AUTO_INCREMENT,
  `goods_id`      BIGINT NOT NULL,
  `specification` VARCHAR(255) NOT NULL DEFAULT '',
  `value`         VARCHAR(255) NOT NULL DEFAULT '',
  `pic_url`       VARCHAR(512) NOT NULL DEFAULT '',
  `add_time`      DATETIME(3) NOT NULL,
  `update_time`   DATETIME(3) NOT NULL,
  `deleted`       TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_spec_goods` (`goods_id`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
