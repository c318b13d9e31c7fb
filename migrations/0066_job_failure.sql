-- The rows that a job could not handle: how often it has tried, and when it tries again.
-- +goose Up
CREATE TABLE IF NOT EXISTS `job_failure` (
  `job`         VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `row_id`      BIGINT NOT NULL,
  `tries`       INT NOT NULL,
  `retry_time`  DATETIME(3) NOT NULL,
  `last_error`  VARCHAR(255) NOT NULL DEFAULT '',
  `add_time`    DATETIME(3) NOT NULL,
  PRIMARY KEY (`job`, `row_id`),
  KEY `ix_job_failure_retry` (`retry_time`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
