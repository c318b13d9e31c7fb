-- Uploads, settings, and tables of the program itself: idempotency keys, outbox, jobs, imports.
-- +goose Up

-- Uploaded objects. Only keys in this table are read from the object store.
CREATE TABLE IF NOT EXISTS `storage` (
  `id`           BIGINT NOT NULL AUTO_INCREMENT,
  `storage_key`  VARCHAR(127) COLLATE utf8mb4_bin NOT NULL,
  `name`         VARCHAR(255) NOT NULL,
  `type`         VARCHAR(127) NOT NULL,
  `size`         BIGINT NOT NULL,
  `url`          VARCHAR(512) NULL DEFAULT NULL,
  `sha256`       CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `owner_type`   TINYINT NOT NULL DEFAULT 0,
  `owner_id`     BIGINT NOT NULL DEFAULT 0,
  -- Since when a shopper's upload has been unused; NULL if it is used or not tracked.
  `unused_since` DATETIME(3) NULL DEFAULT NULL,
  `add_time`     DATETIME(3) NOT NULL,
  `update_time`  DATETIME(3) NOT NULL,
  `deleted`      TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`     BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_storage_key` (`storage_key`, `del_mark`),
  KEY `ix_storage_list` (`add_time`, `id`, `deleted`),
  KEY `ix_storage_owner` (`owner_type`, `owner_id`, `add_time`),
  -- Finds the uploads that have been unused for a time.
  KEY `ix_storage_unused` (`unused_since`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Settings that the owner may change while the shop runs.
CREATE TABLE IF NOT EXISTS `system_config` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `key_name`    VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
  `key_value`   VARCHAR(2000) NOT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `del_mark`    BIGINT NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_sys_key` (`key_name`, `del_mark`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Idempotency keys with the first answers of their requests; a repeated request gets the stored answer.
CREATE TABLE IF NOT EXISTS `idempotency` (
  `id`           BIGINT NOT NULL AUTO_INCREMENT,
  `scope`        VARCHAR(32) COLLATE utf8mb4_bin NOT NULL,
  `owner_id`     BIGINT NOT NULL,
  `idem_key`     VARCHAR(96) COLLATE utf8mb4_bin NOT NULL,
  `request_hash` CHAR(64) COLLATE utf8mb4_bin NOT NULL,
  `state`        TINYINT NOT NULL DEFAULT 0,
  `response`     TEXT NULL DEFAULT NULL,
  -- The work that a claimed key waits for, if it ends after the transaction that began it.
  `subject`      VARCHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  `expire_time`  DATETIME(3) NOT NULL,
  `add_time`     DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_idem` (`scope`, `owner_id`, `idem_key`),
  KEY `ix_idem_expire` (`expire_time`),
  -- Finds the keys that wait for the same work, to settle them together.
  KEY `ix_idem_subject` (`subject`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The outbox: side effects, written in the transaction of the change that causes them and delivered after it.
CREATE TABLE IF NOT EXISTS `outbox_event` (
  `id`             BIGINT NOT NULL AUTO_INCREMENT,
  `topic`          VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `event_key`      VARCHAR(96) COLLATE utf8mb4_bin NOT NULL,
  `aggregate_id`   BIGINT NOT NULL DEFAULT 0,
  `payload`        TEXT NULL DEFAULT NULL,
  `state`          TINYINT NOT NULL DEFAULT 0,
  `attempts`       INT NOT NULL DEFAULT 0,
  `available_time` DATETIME(3) NOT NULL,
  `locked_until`   DATETIME(3) NULL DEFAULT NULL,
  `locked_by`      VARCHAR(63) NULL DEFAULT NULL,
  `add_time`       DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_outbox_key` (`event_key`),
  KEY `ix_outbox_due` (`state`, `available_time`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- The leases of jobs: which replica runs a job, and until when; fence counts the holders.
CREATE TABLE IF NOT EXISTS `job_lease` (
  `name`        VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `holder`      VARCHAR(127) NOT NULL DEFAULT '',
  `fence`       BIGINT NOT NULL DEFAULT 0,
  `lease_until` DATETIME(3) NOT NULL,
  `last_start`  DATETIME(3) NULL DEFAULT NULL,
  `last_end`    DATETIME(3) NULL DEFAULT NULL,
  `last_note`   VARCHAR(255) NOT NULL DEFAULT '',
  PRIMARY KEY (`name`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Job failures: rows that a job could not handle, with the number of attempts and the time of the next one.
CREATE TABLE IF NOT EXISTS `job_failure` (
  `job`        VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `row_id`     BIGINT NOT NULL,
  `tries`      INT NOT NULL,
  `retry_time` DATETIME(3) NOT NULL,
  `last_error` VARCHAR(255) NOT NULL DEFAULT '',
  `add_time`   DATETIME(3) NOT NULL,
  PRIMARY KEY (`job`, `row_id`),
  KEY `ix_job_failure_retry` (`retry_time`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Imports of a litemall database with their progress, so that an interrupted one can continue.
CREATE TABLE IF NOT EXISTS `import_run` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `source`      VARCHAR(255) NOT NULL,
  `source_tz`   VARCHAR(63) NOT NULL,
  `state`       TINYINT NOT NULL DEFAULT 0,
  `table_name`  VARCHAR(63) NOT NULL DEFAULT '',
  `last_id`     BIGINT NOT NULL DEFAULT 0,
  `counts`      TEXT NULL DEFAULT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Source rows and values without a place in these tables, so that an import loses nothing.
CREATE TABLE IF NOT EXISTS `import_archive` (
  `id`         BIGINT NOT NULL AUTO_INCREMENT,
  `run_id`     BIGINT NOT NULL,
  `table_name` VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `source_id`  BIGINT NOT NULL,
  `kind`       VARCHAR(32) COLLATE utf8mb4_bin NOT NULL,
  `note`       VARCHAR(255) NOT NULL DEFAULT '',
  `row_json`   MEDIUMTEXT NULL DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_arch` (`run_id`, `table_name`, `source_id`, `kind`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
