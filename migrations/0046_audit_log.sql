-- What operators changed, before and after. Rows are added, not edited.
-- +goose Up
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
  PRIMARY KEY (`id`),
  KEY `ix_audit_admin` (`admin_id`, `add_time`, `id`),
  KEY `ix_audit_target` (`target_type`, `target_id`, `add_time`, `id`),
  KEY `ix_audit_time` (`add_time`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
