-- A drill of make upgrade-drill drops the column, which no running release uses.
-- +goose Up
ALTER TABLE `orders` DROP COLUMN `drill_tail`;
