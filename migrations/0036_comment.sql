-- Reviews of goods and topics, with the reply; a line of an order can be reviewed once.
-- +goose Up
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
