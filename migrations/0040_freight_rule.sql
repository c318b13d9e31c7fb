-- The rules of a freight template: what delivery to some regions costs, or that there is none.
-- +goose Up
CREATE TABLE IF NOT EXISTS `freight_rule` (
  `id`            BIGINT NOT NULL AUTO_INCREMENT,
  `freight_id`   BIGINT NOT NULL,
  `regions`       TEXT NOT NULL,
  `refused`       TINYINT(1) NOT NULL DEFAULT 0,
  `first_units`   INT NOT NULL,
  `first_price`   DECIMAL(12,2) NOT NULL,
  `further_units` INT NOT NULL,
  `further_price` DECIMAL(12,2) NOT NULL,
  `free_from`     DECIMAL(12,2) NOT NULL DEFAULT 0.00,
  PRIMARY KEY (`id`),
  KEY `ix_freight_rule` (`freight_id`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
