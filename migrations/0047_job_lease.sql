-- Which replica runs a job, and until when the others leave it alone; fence tells a late one from the present one.
-- +goose Up
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
