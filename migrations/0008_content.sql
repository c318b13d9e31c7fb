-- Editorial content.
-- +goose Up

-- Editorial topics with the goods they recommend.
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
  KEY `ix_topic_list` (`add_time`, `id`, `deleted`),
  -- The operators' list of topics, by price.
  KEY `ix_topic_price` (`price`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Banners of the home page with their periods.
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

-- Search keywords that the shop proposes.
CREATE TABLE IF NOT EXISTS `keyword` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `keyword`     VARCHAR(127) NOT NULL DEFAULT '',
  `url`         VARCHAR(255) NOT NULL DEFAULT '',
  `is_hot`      TINYINT(1) NOT NULL DEFAULT 0,
  `is_default`  TINYINT(1) NOT NULL DEFAULT 0,
  `sort_order`  INT NOT NULL DEFAULT 100,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_kw_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Help questions and their answers.
CREATE TABLE IF NOT EXISTS `issue` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `question`    VARCHAR(255) NULL DEFAULT NULL,
  `answer`      VARCHAR(2000) NULL DEFAULT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_issue_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
