-- Provinces, cities and districts as a tree. Codes repeat in the official data, so only the id identifies a row.
-- +goose Up
CREATE TABLE IF NOT EXISTS `region` (
  `id`   BIGINT NOT NULL AUTO_INCREMENT,
  `pid`  BIGINT NOT NULL DEFAULT 0,
  `name` VARCHAR(120) NOT NULL DEFAULT '',
  `type` TINYINT NOT NULL DEFAULT 0,
  `code` INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_region_pid` (`pid`, `id`),
  KEY `ix_region_code` (`code`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
