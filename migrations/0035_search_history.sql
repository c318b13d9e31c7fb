-- Words that a shopper searched for, one row a word and source.
-- +goose Up
CREATE TABLE IF NOT EXISTS `search_history` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`     BIGINT NOT NULL,
  `keyword`     VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `source`      VARCHAR(63) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `times`       INT NOT NULL DEFAULT 1,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_sh` (`user_id`, `keyword`, `source`),
  KEY `ix_sh_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
