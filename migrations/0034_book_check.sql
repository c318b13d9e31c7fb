-- Verifications of the books, with what they found. live is 1 for the one that was asked for or runs, otherwise null.
-- +goose Up
CREATE TABLE IF NOT EXISTS `book_check` (
  `id` BIGINT NOT NULL AUTO_INCREMENT,
  `admin_id` BIGINT NOT NULL DEFAULT 0,
  `live` TINYINT DEFAULT NULL,
  `part` VARCHAR(63) NOT NULL DEFAULT '',
  `parts_done` INT NOT NULL DEFAULT 0,
  `part_count` INT NOT NULL DEFAULT 0,
  `found` INT NOT NULL DEFAULT 0,
  `findings` MEDIUMTEXT,
  `failure` VARCHAR(255) NOT NULL DEFAULT '',
  `start_time` DATETIME(3) DEFAULT NULL,
  `end_time` DATETIME(3) DEFAULT NULL,
  `add_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uk_book_check_live` (`live`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
