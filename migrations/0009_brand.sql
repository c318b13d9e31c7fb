-- Brands and makers, shown with the lowest price of their goods.
-- +goose Up
CREATE TABLE IF NOT EXISTS `brand` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `name`        VARCHAR(255) NOT NULL DEFAULT '',
  `description` VARCHAR(255) NOT NULL DEFAULT '',
  `pic_url`     VARCHAR(512) NOT NULL DEFAULT '',
  `sort_order`  INT NOT NULL DEFAULT 50,
  `floor_price` DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_brand_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
