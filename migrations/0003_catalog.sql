-- Goods, their descriptions and their stock.
-- +goose Up

-- The two levels of goods categories; the keys are in display order.
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

-- Brands and manufacturers, shown with the lowest price of their goods.
CREATE TABLE IF NOT EXISTS `brand` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `name`        VARCHAR(255) NOT NULL DEFAULT '',
  `description` VARCHAR(255) NOT NULL DEFAULT '',
  `pic_url`     VARCHAR(512) NOT NULL DEFAULT '',
  `sort_order`  INT NOT NULL DEFAULT 50,
  `floor_price` DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_brand_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Goods. Lists filter and sort by this table, so rows are short and every sort order has its key.
CREATE TABLE IF NOT EXISTS `goods` (
  `id`            BIGINT NOT NULL AUTO_INCREMENT,
  `goods_sn`      VARCHAR(63) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `name`          VARCHAR(127) COLLATE utf8mb4_general_ci NOT NULL DEFAULT '',
  `name_key`      CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `category_id`   BIGINT NOT NULL DEFAULT 0,
  `brand_id`      BIGINT NOT NULL DEFAULT 0,
  `gallery`       TEXT NULL DEFAULT NULL,
  `keywords`      VARCHAR(255) NOT NULL DEFAULT '',
  `brief`         VARCHAR(255) NOT NULL DEFAULT '',
  `is_on_sale`    TINYINT(1) NOT NULL DEFAULT 1,
  `sort_order`    INT NOT NULL DEFAULT 100,
  `pic_url`       VARCHAR(512) NULL DEFAULT NULL,
  `share_url`     VARCHAR(512) NULL DEFAULT NULL,
  `is_new`        TINYINT(1) NOT NULL DEFAULT 0,
  `is_hot`        TINYINT(1) NOT NULL DEFAULT 0,
  `unit`          VARCHAR(31) NOT NULL DEFAULT '件',
  `counter_price` DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `retail_price`  DECIMAL(12,2) NOT NULL DEFAULT 100000.00,
  `add_time`      DATETIME(3) NOT NULL,
  `update_time`   DATETIME(3) NOT NULL,
  `deleted`       TINYINT(1) NOT NULL DEFAULT 0,
  `version`       INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_goods_name` (`name_key`),
  KEY `ix_goods_time` (`add_time`, `id`, `deleted`, `is_on_sale`),
  KEY `ix_goods_price` (`retail_price`, `id`, `deleted`, `is_on_sale`),
  KEY `ix_goods_nameord` (`name`, `id`, `deleted`, `is_on_sale`),
  KEY `ix_goods_cat` (`category_id`, `add_time`, `id`, `deleted`, `is_on_sale`),
  KEY `ix_goods_cat_price` (`category_id`, `retail_price`, `id`, `deleted`, `is_on_sale`),
  KEY `ix_goods_brand` (`brand_id`, `add_time`, `id`, `deleted`, `is_on_sale`),
  KEY `ix_goods_new` (`is_new`, `add_time`, `id`, `deleted`, `is_on_sale`),
  KEY `ix_goods_hot` (`is_hot`, `add_time`, `id`, `deleted`, `is_on_sale`),
  KEY `ix_goods_sn` (`goods_sn`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The rich text of goods, in a separate table so that lists do not read it.
CREATE TABLE IF NOT EXISTS `goods_content` (
  `goods_id`    BIGINT NOT NULL,
  `detail`      MEDIUMTEXT NULL DEFAULT NULL,
  `update_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`goods_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Descriptive parameters of goods, such as material or weight; shoppers do not choose them.
CREATE TABLE IF NOT EXISTS `goods_attribute` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `goods_id`    BIGINT NOT NULL,
  `attribute`   VARCHAR(255) NOT NULL,
  `value`       VARCHAR(255) NOT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_attr_goods` (`goods_id`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The values that shoppers choose from, such as colours and sizes; a product has one value of each group.
CREATE TABLE IF NOT EXISTS `goods_specification` (
  `id`            BIGINT NOT NULL AUTO_INCREMENT,
  `goods_id`      BIGINT NOT NULL,
  `specification` VARCHAR(255) NOT NULL DEFAULT '',
  `value`         VARCHAR(255) NOT NULL DEFAULT '',
  `pic_url`       VARCHAR(512) NOT NULL DEFAULT '',
  `add_time`      DATETIME(3) NOT NULL,
  `update_time`   DATETIME(3) NOT NULL,
  `deleted`       TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_spec_goods` (`goods_id`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Products: combinations of specifications, each with its price and its free stock, which is never negative.
CREATE TABLE IF NOT EXISTS `goods_product` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `goods_id`       BIGINT NOT NULL,
  `specifications` TEXT NOT NULL,
  `spec_hash`      CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `price`          DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  `number`         INT NOT NULL DEFAULT 0,
  `stock_mode`     TINYINT NOT NULL DEFAULT 0,
  `url`            VARCHAR(512) NULL DEFAULT NULL,
  `add_time`       DATETIME(3) NOT NULL,
  `update_time`    DATETIME(3) NOT NULL,
  `deleted`        TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`       BIGINT NOT NULL DEFAULT 0,
  `version`        INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_product_spec` (`goods_id`, `spec_hash`, `del_mark`),
  KEY `ix_product_goods` (`goods_id`, `id`, `deleted`),
  CONSTRAINT `ck_product_number` CHECK (`number` >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The ledger of stock movements. Its key makes taking and returning stock idempotent.
CREATE TABLE IF NOT EXISTS `stock_log` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `product_id`     BIGINT NOT NULL,
  `order_id`       BIGINT NOT NULL DEFAULT 0,
  `order_goods_id` BIGINT NOT NULL DEFAULT 0,
  `reason`         SMALLINT NOT NULL,
  `delta`          INT NOT NULL,
  `ref_key`        VARCHAR(96) COLLATE utf8mb4_bin NOT NULL,
  `operator_type`  TINYINT NOT NULL DEFAULT 0,
  `operator_id`    BIGINT NOT NULL DEFAULT 0,
  `add_time`       DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_stock_ref` (`ref_key`),
  KEY `ix_stock_product` (`product_id`, `add_time`, `id`),
  KEY `ix_stock_order` (`order_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Parts of the stock of a product in high demand, so that buyers do not wait for a single row.
CREATE TABLE IF NOT EXISTS `stock_bucket` (
  `product_id`  BIGINT NOT NULL,
  `bucket_no`   SMALLINT NOT NULL,
  `available`   INT NOT NULL DEFAULT 0,
  `update_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`product_id`, `bucket_no`),
  CONSTRAINT `ck_bucket_available` CHECK (`available` >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The term index: characters of names and keywords, and pairs of them; not every engine has full-text indexes.
CREATE TABLE IF NOT EXISTS `goods_term` (
  `term`     VARCHAR(8) COLLATE utf8mb4_bin NOT NULL,
  `goods_id` BIGINT NOT NULL,
  PRIMARY KEY (`term`, `goods_id`),
  KEY `ix_term_goods` (`goods_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
