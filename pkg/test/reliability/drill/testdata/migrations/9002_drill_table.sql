-- A drill of make upgrade-drill adds a table.
-- +goose Up
CREATE TABLE IF NOT EXISTS `drill_tail` (
  `tail` varchar(4) COLLATE utf8mb4_bin NOT NULL,
  `orders` bigint NOT NULL,
  PRIMARY KEY (`tail`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
