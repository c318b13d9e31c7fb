-- Search words that the shop proposes.
-- +goose Up
CREATE TABLE IF NOT EXISTS `keyword` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `keyword`     VARCHAR(127) NOT NULL DEFAULT '',
  `url`         VARCHAR(255) NOT NULL DEFAULT '',
  `is_hot`      TINYINT(1) NOT NULL DEFAULT 0,
  `is_default`  TINYINT(1) NOT NULL DEFAULT 0,
  `sort_order`  INT NOT NULL DEFAULT 100,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_kw_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
