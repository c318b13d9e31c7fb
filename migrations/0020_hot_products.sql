-- Whether the purchases of a product are gathered: 0 by load, 1 always, 2 never.
-- +goose Up
ALTER TABLE `goods_product` ADD COLUMN `hot_mode` TINYINT NOT NULL DEFAULT 0 AFTER `stock_mode`;
