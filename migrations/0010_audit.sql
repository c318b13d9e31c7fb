-- The business log and the audit records of operators' changes.
-- +goose Up

-- The business log: what operators did, in words, for the console; the changed values are in audit_log.
CREATE TABLE IF NOT EXISTS `log` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `admin`       VARCHAR(63) COLLATE utf8mb4_general_ci NULL DEFAULT NULL,
  `ip`          VARCHAR(63) NULL DEFAULT NULL,
  `type`        INT NULL DEFAULT NULL,
  `action`      VARCHAR(63) NULL DEFAULT NULL,
  `status`      TINYINT(1) NULL DEFAULT NULL,
  `result`      VARCHAR(255) NULL DEFAULT NULL,
  `comment`     VARCHAR(255) NULL DEFAULT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_log_list` (`add_time`, `id`, `deleted`),
  KEY `ix_log_admin` (`admin`, `add_time`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;

-- Audit records: what operators changed, before and after. Rows are only inserted and sealed.
CREATE TABLE IF NOT EXISTS `audit_log` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `admin_id`    BIGINT NOT NULL,
  `admin_name`  VARCHAR(63) NOT NULL DEFAULT '',
  `ip`          VARCHAR(63) NOT NULL DEFAULT '',
  `permission`  VARCHAR(127) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `method_path` VARCHAR(191) COLLATE utf8mb4_bin NOT NULL,
  `target_type` VARCHAR(32) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `target_id`   BIGINT NOT NULL DEFAULT 0,
  `before_json` MEDIUMTEXT NULL DEFAULT NULL,
  `after_json`  MEDIUMTEXT NULL DEFAULT NULL,
  `errno`       INT NOT NULL DEFAULT 0,
  `add_time`    DATETIME(3) NOT NULL,
  -- The request id, as in the request log.
  `request_id`  VARCHAR(63) COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  -- The number of the record in the hash chain; set once, after the record was written.
  `seal_no`     BIGINT NULL DEFAULT NULL,
  -- The seal of the previous record in the chain.
  `seal_prev`   CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  -- The seal: a hash over the record, its number and the previous seal.
  `seal_hash`   CHAR(64) COLLATE utf8mb4_bin NULL DEFAULT NULL,
  PRIMARY KEY (`id`),
  -- Numbers in the chain are unique.
  UNIQUE KEY `uk_audit_seal` (`seal_no`),
  KEY `ix_audit_admin` (`admin_id`, `add_time`, `id`),
  KEY `ix_audit_target` (`target_type`, `target_id`, `add_time`, `id`),
  KEY `ix_audit_time` (`add_time`, `id`),
  -- Finds the records of a request.
  KEY `ix_audit_request` (`request_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
