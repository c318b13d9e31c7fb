-- A counter by which a read replica shows how far it has come.
-- +goose Up
CREATE TABLE IF NOT EXISTS `replica_beat` (
  `id` TINYINT NOT NULL,
  `beat` BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
