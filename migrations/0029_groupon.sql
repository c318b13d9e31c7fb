-- Places in groupons. The opener's row stands for the group: it counts the places and is locked to take one.
-- +goose Up
CREATE TABLE IF NOT EXISTS `groupon` (
  `id`                BIGINT NOT NULL AUTO_INCREMENT,
  `order_id`          BIGINT NOT NULL,
  `groupon_id`        BIGINT NULL DEFAULT NULL,
  `rules_id`          BIGINT NOT NULL,
  `user_id`           BIGINT NOT NULL,
  `share_url`         VARCHAR(512) NULL DEFAULT NULL,
  `creator_user_id`   BIGINT NOT NULL,
  `creator_user_time` DATETIME(3) NULL DEFAULT NULL,
  `status`            SMALLINT NOT NULL DEFAULT 0,
  `member_count`      INT NOT NULL DEFAULT 0,
  `active_mark`       BIGINT NOT NULL DEFAULT 0,
  `add_time`          DATETIME(3) NOT NULL,
  `update_time`       DATETIME(3) NOT NULL,
  `deleted`           TINYINT(1) NOT NULL DEFAULT 0,
  `version`           INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_groupon_order` (`order_id`),
  UNIQUE KEY `uk_groupon_member` (`groupon_id`, `user_id`, `active_mark`),
  KEY `ix_groupon_group` (`groupon_id`, `status`, `add_time`, `id`, `deleted`),
  KEY `ix_groupon_user` (`user_id`, `add_time`, `id`, `deleted`),
  KEY `ix_groupon_rules` (`rules_id`, `add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
