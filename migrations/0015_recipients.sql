-- Finds orders by a part of the recipient's name.
-- +goose Up

-- The terms of the names of recipients, each name once however many orders have it. A job adds the names of new orders.
CREATE TABLE IF NOT EXISTS `order_recipient` (
  -- A character or two neighbours of the name, in lower case.
  `term` VARCHAR(8)  COLLATE utf8mb4_bin NOT NULL,
  `name` VARCHAR(63) COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`term`, `name`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
