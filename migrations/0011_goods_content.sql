-- The long description of goods, apart from goods so that lists do not read it.
-- +goose Up
CREATE TABLE IF NOT EXISTS `goods_content` (
  `goods_id`    BIGINT NOT NULL,
  `detail`      MEDIUMTEXT NULL DEFAULT NULL,
  `update_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`goods_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
