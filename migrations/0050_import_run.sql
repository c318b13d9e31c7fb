-- Take-overs of a litemall database: how far each came, so that it can go on where it stopped.
-- +goose Up
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
