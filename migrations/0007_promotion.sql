-- Coupons and group purchases.
-- +goose Up

-- Coupon definitions. received counts the coupons given out and never exceeds total.
CREATE TABLE IF NOT EXISTS `coupon` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `name`           VARCHAR(63) NOT NULL,
  `description`    VARCHAR(255) NOT NULL DEFAULT '',
  `tag`            VARCHAR(63) NOT NULL DEFAULT '',
  `total`          INT NOT NULL DEFAULT 0,
  `received`       INT NOT NULL DEFAULT 0,
  `discount`       DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `min_amount`     DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `per_user_limit` INT NOT NULL DEFAULT 1,
  `type`           SMALLINT NOT NULL DEFAULT 0,
  `status`         SMALLINT NOT NULL DEFAULT 0,
  `goods_type`     SMALLINT NOT NULL DEFAULT 0,
  `goods_value`    TEXT NULL DEFAULT NULL,
  `code`           VARCHAR(63) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `time_type`      SMALLINT NOT NULL DEFAULT 0,
  `days`           INT NOT NULL DEFAULT 0,
  `start_time`     DATETIME(3) NULL DEFAULT NULL,
  `end_time`       DATETIME(3) NULL DEFAULT NULL,
  `add_time`       DATETIME(3) NOT NULL,
  `update_time`    DATETIME(3) NOT NULL,
  `deleted`        TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`       BIGINT NOT NULL DEFAULT 0,
  `version`        INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_coupon_code` (`code`, `del_mark`),
  KEY `ix_coupon_public` (`type`, `status`, `add_time`, `id`, `deleted`),
  KEY `ix_coupon_list` (`add_time`, `id`, `deleted`),
  KEY `ix_coupon_expire` (`status`, `time_type`, `end_time`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- User coupons. Ids start high, so that they never equal the id of a coupon.
CREATE TABLE IF NOT EXISTS `coupon_user` (
  `id`            BIGINT NOT NULL AUTO_INCREMENT,
  `user_id`       BIGINT NOT NULL,
  `coupon_id`     BIGINT NOT NULL,
  `seq`           INT NOT NULL,
  `status`        SMALLINT NOT NULL DEFAULT 0,
  `used_time`     DATETIME(3) NULL DEFAULT NULL,
  `start_time`    DATETIME(3) NULL DEFAULT NULL,
  `end_time`      DATETIME(3) NULL DEFAULT NULL,
  `order_id`      BIGINT NULL DEFAULT NULL,
  `last_order_id` BIGINT NULL DEFAULT NULL,
  `add_time`      DATETIME(3) NOT NULL,
  `update_time`   DATETIME(3) NOT NULL,
  `deleted`       TINYINT(1) NOT NULL DEFAULT 0,
  `version`       INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_cu_seq` (`user_id`, `coupon_id`, `seq`),
  UNIQUE KEY `uk_cu_order` (`order_id`),
  KEY `ix_cu_user` (`user_id`, `status`, `add_time`, `id`, `deleted`),
  KEY `ix_cu_coupon` (`coupon_id`, `add_time`, `id`, `deleted`),
  KEY `ix_cu_expire` (`status`, `end_time`, `id`),
  -- The operators' list of user coupons, by time.
  KEY `ix_cu_list` (`add_time`, `id`, `deleted`),
  -- The operators' list of user coupons in one state, by time.
  KEY `ix_cu_status` (`status`, `add_time`, `id`, `deleted`)
) ENGINE = InnoDB AUTO_INCREMENT = 10000001 DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Group-buy rules; active_mark allows one running rule on goods.
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

-- Group members. The opener's row stands for the group: it counts the joiners, and every change of the group locks it.
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
  KEY `ix_groupon_rules` (`rules_id`, `add_time`, `id`, `deleted`),
  -- The operators' list of groups, by time.
  KEY `ix_groupon_list` (`add_time`, `id`, `deleted`, `groupon_id`, `status`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
