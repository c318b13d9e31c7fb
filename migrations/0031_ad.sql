-- Banners of the home page and the time they are shown.
-- +goose Up
CREATE TABLE IF NOT EXISTS `ad` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `name`        VARCHAR(63) NOT NULL DEFAULT '',
  `link`        VARCHAR(255) NOT NULL DEFAULT '',
  `url`         VARCHAR(512) NOT NULL,
  `position`    SMALLINT NOT NULL DEFAULT 1,
  `content`     VARCHAR(255) NOT NULL DEFAULT '',
  `start_time`  DATETIME(3) NULL DEFAULT NULL,
  `end_time`    DATETIME(3) NULL DEFAULT NULL,
  `enabled`     TINYINT(1) NOT NULL DEFAULT 0,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_ad_home` (`position`, `enabled`, `id`, `deleted`),
  KEY `ix_ad_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
