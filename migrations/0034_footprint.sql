-- Goods that a shopper looked at, one row a pair with the latest view, so that looking often costs no rows.
-- +goose Up
CREATE TABLE IF NOT EXISTS `footprint` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`     BIGINT NOT NULL,
  `goods_id`    BIGINT NOT NULL,
  `view_time`   DATETIME(3) NOT NULL,
  `view_count`  INT NOT NULL DEFAULT 1,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_footprint` (`user_id`, `goods_id`),
  KEY `ix_fp_user` (`user_id`, `view_time`, `id`, `deleted`),
  KEY `ix_fp_goods` (`goods_id`, `deleted`),
  KEY `ix_fp_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
