-- Groupon offers; active_mark allows one running offer for goods.
-- +goose Up
CREATE TABLE IF NOT EXISTS `groupon_rules` (
  `id`              BIGINT NOT NULL AUTO_INCREMENT,
  `goods_id`        BIGINT NOT NULL,
  `goods_name`      VARCHAR(127) NOT NULL,
  `pic_url`         VARCHAR(512) NULL DEFAULT NULL,
  `discount`        DECIMAL(12,2) NOT NULL,
  `discount_member` INT NOT NULL,
  `expire_time`     DATETIME(3) NULL DEFAULT NULL,
  `status`          SMALLINT NOT NULL DEFAULT 0,
  `active_mark`     BIGINT NOT NULL DEFAULT 0,
  `add_time`        DATETIME(3) NOT NULL,
  `update_time`     DATETIME(3) NOT NULL,
  `deleted`         TINYINT(1) NOT NULL DEFAULT 0,
  `version`         INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_gr_active` (`goods_id`, `active_mark`),
  KEY `ix_gr_public` (`status`, `add_time`, `id`, `deleted`),
  KEY `ix_gr_expire` (`status`, `expire_time`, `id`),
  KEY `ix_gr_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
