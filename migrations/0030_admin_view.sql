-- Keeps the views that operators have saved: the filters and the order of a list under a name.
-- +goose Up
CREATE TABLE IF NOT EXISTS `admin_view` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `admin_id` BIGINT NOT NULL,
  `page` VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `name` VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  `query` VARCHAR(1023) NOT NULL,
  `add_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_admin_view` (`admin_id`, `page`, `name`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
