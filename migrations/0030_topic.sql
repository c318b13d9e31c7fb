-- Editorial topics with the goods they recommend.
-- +goose Up
CREATE TABLE IF NOT EXISTS `topic` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `title`       VARCHAR(255) NOT NULL DEFAULT '',
  `subtitle`    VARCHAR(255) NULL DEFAULT '',
  `content`     MEDIUMTEXT NULL DEFAULT NULL,
  `price`       DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `read_count`  VARCHAR(255) NOT NULL DEFAULT '1k',
  `pic_url`     VARCHAR(512) NULL DEFAULT '',
  `sort_order`  INT NOT NULL DEFAULT 100,
  `goods`       TEXT NULL DEFAULT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_topic_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
