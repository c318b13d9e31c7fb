-- Source rows and values that found no place in these tables, so that a take-over loses nothing.
-- +goose Up
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
