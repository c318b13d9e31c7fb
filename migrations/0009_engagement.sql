-- Traces of shoppers: favourites, footprints, searches, comments, feedback.
-- +goose Up

-- Favourites, one row per shopper and thing for ever: a toggle flips deleted, so that concurrent calls leave one row.
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

-- Footprints: viewed goods, one row per shopper and goods with the time of the latest view.
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

-- Search history, one row per shopper, keyword and source.
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

-- Comments on goods and topics, with the reply; an order line has at most one comment.
CREATE TABLE IF NOT EXISTS `comment` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `value_id`       BIGINT NOT NULL,
  `type`           TINYINT NOT NULL DEFAULT 0,
  `content`        VARCHAR(1023) NOT NULL DEFAULT '',
  `admin_content`  VARCHAR(511) NOT NULL DEFAULT '',
  `user_id`        BIGINT NOT NULL,
  `order_goods_id` BIGINT NULL DEFAULT NULL,
  `has_picture`    TINYINT(1) NOT NULL DEFAULT 0,
  `pic_urls`       TEXT NULL DEFAULT NULL,
  `star`           SMALLINT NOT NULL DEFAULT 1,
  `add_time`       DATETIME(3) NOT NULL,
  `update_time`    DATETIME(3) NOT NULL,
  `deleted`        TINYINT(1) NOT NULL DEFAULT 0,
  `version`        INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_comment_line` (`order_goods_id`),
  KEY `ix_comment_value` (`type`, `value_id`, `add_time`, `id`, `deleted`, `has_picture`),
  KEY `ix_comment_user` (`user_id`, `add_time`, `id`, `deleted`),
  KEY `ix_comment_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Feedback: messages of shoppers to the shop.
CREATE TABLE IF NOT EXISTS `feedback` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`     BIGINT NOT NULL DEFAULT 0,
  `username`    VARCHAR(63) NOT NULL DEFAULT '',
  `mobile`      VARCHAR(20) NOT NULL DEFAULT '',
  `feed_type`   VARCHAR(63) NOT NULL DEFAULT '',
  `content`     VARCHAR(1023) NOT NULL,
  `status`      INT NOT NULL DEFAULT 0,
  `has_picture` TINYINT(1) NOT NULL DEFAULT 0,
  `pic_urls`    TEXT NULL DEFAULT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_fb_user` (`user_id`, `add_time`, `id`, `deleted`),
  KEY `ix_fb_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
