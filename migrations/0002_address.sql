-- Where shoppers want their parcels. default_slot is 1 on one row of a shopper, so that two defaults cannot exist.
-- +goose Up
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
