-- Characters and pairs of characters of names and keywords, because no full-text index exists on every engine.
-- +goose Up
CREATE TABLE IF NOT EXISTS `goods_term` (
  `term`     VARCHAR(8) COLLATE utf8mb4_bin NOT NULL,
  `goods_id` BIGINT NOT NULL,
  PRIMARY KEY (`term`, `goods_id`),
  KEY `ix_term_goods` (`goods_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
