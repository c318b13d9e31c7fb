-- Shoppers, their addresses, and the administrative divisions.
-- +goose Up

-- Shopper accounts. The keys give a name, a mobile number and an openid to at most one live account each.
CREATE TABLE IF NOT EXISTS `user` (
  `id`              BIGINT NOT NULL AUTO_INCREMENT,
  `username`        VARCHAR(63) NOT NULL,
  `username_key`    VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
  `password_hash`   VARCHAR(255) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `gender`          TINYINT NOT NULL DEFAULT 0,
  `birthday`        DATE NULL DEFAULT NULL,
  `last_login_time` DATETIME(3) NULL DEFAULT NULL,
  `last_login_ip`   VARCHAR(63) NOT NULL DEFAULT '',
  `user_level`      TINYINT NOT NULL DEFAULT 0,
  `nickname`        VARCHAR(63) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  `mobile`          VARCHAR(20) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `avatar`          VARCHAR(512) NOT NULL DEFAULT '',
  `wx_openid`       VARCHAR(63) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `wx_session_key`  VARCHAR(255) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `status`          TINYINT NOT NULL DEFAULT 0,
  `token_version`   INT NOT NULL DEFAULT 0,
  `add_time`        DATETIME(3) NOT NULL,
  `update_time`     DATETIME(3) NOT NULL,
  `deleted`         TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`        BIGINT NOT NULL DEFAULT 0,
  `version`         INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_user_name` (`username_key`, `del_mark`),
  UNIQUE KEY `uk_user_mobile` (`mobile`, `del_mark`),
  UNIQUE KEY `uk_user_openid` (`wx_openid`, `del_mark`),
  KEY `ix_user_list` (`add_time`, `id`, `deleted`),
  KEY `ix_user_nick` (`nickname`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Delivery addresses. default_slot is 1 for the default and NULL otherwise, so that a shopper has at most one.
CREATE TABLE IF NOT EXISTS `address` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`        BIGINT NOT NULL,
  `name`           VARCHAR(63) NOT NULL DEFAULT '',
  `province`       VARCHAR(63) NOT NULL,
  `city`           VARCHAR(63) NOT NULL,
  `county`         VARCHAR(63) NOT NULL,
  `address_detail` VARCHAR(255) NOT NULL DEFAULT '',
  `area_code`      VARCHAR(12) NULL DEFAULT NULL,
  `postal_code`    VARCHAR(12) NULL DEFAULT NULL,
  `tel`            VARCHAR(20) NOT NULL DEFAULT '',
  `is_default`     TINYINT(1) NOT NULL DEFAULT 0,
  `default_slot`   TINYINT NULL DEFAULT NULL,
  `add_time`       DATETIME(3) NOT NULL,
  `update_time`    DATETIME(3) NOT NULL,
  `deleted`        TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_addr_default` (`user_id`, `default_slot`),
  KEY `ix_addr_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Provinces, cities and districts as a tree. Codes repeat in the official data, so only the id identifies a row.
CREATE TABLE IF NOT EXISTS `region` (
  `id`      BIGINT NOT NULL AUTO_INCREMENT,
  `pid`     BIGINT NOT NULL DEFAULT 0,
  `name`    VARCHAR(120) NOT NULL DEFAULT '',
  `type`    TINYINT NOT NULL DEFAULT 0,
  `code`    INT NOT NULL DEFAULT 0,
  -- Marks a division that the official list no longer contains. Its row stays, so that a returning code keeps its id.
  `retired` TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_region_pid` (`pid`, `id`),
  KEY `ix_region_code` (`code`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
