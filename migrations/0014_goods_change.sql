-- Lets every replica follow what lists of goods show.
-- +goose Up

-- Changes of goods, written in the transaction of each change. Replicas keep their index of the goods current by them; a
-- job removes old rows.
CREATE TABLE IF NOT EXISTS `goods_change` (
  `id`       BIGINT NOT NULL AUTO_INCREMENT,
  -- The goods; 0 after a bulk load, when any may have changed.
  `goods_id` BIGINT NOT NULL DEFAULT 0,
  `add_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_goods_change_time` (`add_time`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
