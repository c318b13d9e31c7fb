-- Freight templates: what delivery costs for the goods that name one.
-- +goose Up
CREATE TABLE IF NOT EXISTS `freight` (
  `id`           BIGINT NOT NULL AUTO_INCREMENT,
  `name`         VARCHAR(63) NOT NULL,
  `charge`       TINYINT NOT NULL,
  `piece_weight` INT NOT NULL DEFAULT 0,
  `add_time`     DATETIME(3) NOT NULL,
  `update_time`  DATETIME(3) NOT NULL,
  `deleted`      TINYINT(1) NOT NULL DEFAULT 0,
  `version`      INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_freight_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
