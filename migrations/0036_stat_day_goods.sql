-- Says when the goods of a day were added up. An earlier release does not add them up, so its days are due again.
-- +goose Up
ALTER TABLE `stat_day`
  ADD COLUMN `goods_time` DATETIME(3) DEFAULT NULL;
