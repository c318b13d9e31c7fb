-- Lists goods that are on sale, or those that are not, by the time at which they were added.
-- +goose Up
ALTER TABLE `goods`
  ADD KEY `ix_goods_sale` (`is_on_sale`, `add_time`, `id`, `deleted`);
