-- Favourites, one row a pair for ever: the flag deleted flips, so that two quick taps cannot leave two rows.
-- +goose Up
CREATE TABLE IF NOT EXISTS `collect` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`     BIGINT NOT NULL,
  `value_id`    BIGINT NOT NULL,
  `type`        TINYINT NOT NULL DEFAULT 0,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_collect` (`user_id`, `type`, `value_id`),
  KEY `ix_collect_user` (`user_id`, `type`, `add_time`, `id`, `deleted`),
  KEY `ix_collect_value` (`value_id`, `type`, `deleted`),
  KEY `ix_collect_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
