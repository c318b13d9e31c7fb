-- What shoppers write to the shop.
-- +goose Up
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
