-- Totals of long lists, because counting millions of rows for every page is too slow.
-- +goose Up
CREATE TABLE IF NOT EXISTS `list_counter` (
  `scope`        VARCHAR(127) COLLATE utf8mb4_bin NOT NULL,
  `total`        BIGINT NOT NULL,
  `refresh_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`scope`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
