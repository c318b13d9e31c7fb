-- A drill of make upgrade-drill adds a column that the release before does not know: it inserts orders without it.
-- +goose Up
ALTER TABLE `orders` ADD COLUMN `drill_tail` varchar(4) COLLATE utf8mb4_bin DEFAULT NULL;
