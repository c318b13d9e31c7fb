-- Operators, their roles and grants, and notices in their inboxes.
-- +goose Up

-- Operator accounts, separate from shoppers because neither may log in to the other's service.
CREATE TABLE IF NOT EXISTS `admin` (
  `id`              BIGINT NOT NULL AUTO_INCREMENT,
  `username`        VARCHAR(63) NOT NULL,
  `username_key`    VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
  `password_hash`   VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
  `last_login_ip`   VARCHAR(63) NULL DEFAULT '',
  `last_login_time` DATETIME(3) NULL DEFAULT NULL,
  `avatar`          VARCHAR(512) NULL DEFAULT '',
  `status`          TINYINT NOT NULL DEFAULT 0,
  `token_version`   INT NOT NULL DEFAULT 0,
  `add_time`        DATETIME(3) NOT NULL,
  `update_time`     DATETIME(3) NOT NULL,
  `deleted`         TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`        BIGINT NOT NULL DEFAULT 0,
  `version`         INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_admin_name` (`username_key`, `del_mark`),
  KEY `ix_admin_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Role assignments, as rows, so that "is this role still in use" is one index lookup.
CREATE TABLE IF NOT EXISTS `admin_role` (
  `admin_id` BIGINT NOT NULL,
  `role_id`  BIGINT NOT NULL,
  `position` SMALLINT NOT NULL DEFAULT 0,
  `add_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`admin_id`, `role_id`),
  KEY `ix_admin_role_role` (`role_id`, `admin_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Operator roles. del_mark in the key frees the name of a deleted role.
CREATE TABLE IF NOT EXISTS `role` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `name`        VARCHAR(63) COLLATE utf8mb4_general_ci NOT NULL,
  `description` VARCHAR(1023) NULL DEFAULT NULL,
  `enabled`     TINYINT(1) NOT NULL DEFAULT 1,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`    BIGINT NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_role_name` (`name`, `del_mark`),
  KEY `ix_role_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The permissions of roles, one grant per row; the key prevents duplicates.
CREATE TABLE IF NOT EXISTS `permission` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `role_id`     BIGINT NOT NULL,
  `permission`  VARCHAR(127) COLLATE utf8mb4_bin NOT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`    BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_perm_role` (`role_id`, `permission`, `del_mark`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Notices to operators; the receipts are in notice_admin.
CREATE TABLE IF NOT EXISTS `notice` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `title`       VARCHAR(63) NULL DEFAULT NULL,
  `content`     MEDIUMTEXT NULL DEFAULT NULL,
  `admin_id`    BIGINT NOT NULL DEFAULT 0,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_notice_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The inboxes of operators: a receipt of a notice for each recipient, with the time it was read.
CREATE TABLE IF NOT EXISTS `notice_admin` (
  `id`           BIGINT NOT NULL AUTO_INCREMENT,
  `notice_id`    BIGINT NOT NULL,
  `notice_title` VARCHAR(63) NULL DEFAULT NULL,
  `admin_id`     BIGINT NOT NULL,
  `read_time`    DATETIME(3) NULL DEFAULT NULL,
  `add_time`     DATETIME(3) NOT NULL,
  `update_time`  DATETIME(3) NOT NULL,
  `deleted`      TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`     BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_na` (`notice_id`, `admin_id`, `del_mark`),
  KEY `ix_na_admin` (`admin_id`, `read_time`, `add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
