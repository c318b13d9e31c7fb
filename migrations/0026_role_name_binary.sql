-- Tells roles apart by names that general_ci takes for one, such as two emoji; the program compares them as people do.
-- +goose Up
ALTER TABLE `role` MODIFY COLUMN `name` VARCHAR(63) COLLATE utf8mb4_bin NOT NULL;
