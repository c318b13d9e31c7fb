-- The two levels of goods categories; the keys serve the shop in display order.
-- +goose Up
CREATE TABLE IF NOT EXISTS `category` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `name`        VARCHAR(63) NOT NULL DEFAULT '',
  `keywords`    VARCHAR(1023) NOT NULL DEFAULT '',
  `description` VARCHAR(255) NULL DEFAULT '',
  `pid`         BIGINT NOT NULL DEFAULT 0,
  `icon_url`    VARCHAR(512) NULL DEFAULT '',
  `pic_url`     VARCHAR(512) NULL DEFAULT '',
  `level`       VARCHAR(8) COLLATE utf8mb4_bin NOT NULL DEFAULT 'L1',
  `sort_order`  INT NOT NULL DEFAULT 50,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_cat_pid` (`pid`, `sort_order`, `id`, `deleted`),
  KEY `ix_cat_level` (`level`, `sort_order`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
