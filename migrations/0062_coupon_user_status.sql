-- Yields what shoppers hold in one state in the order of time, for the operators' list of it.
-- +goose Up
ALTER TABLE `coupon_user` ADD KEY `ix_cu_status` (`status`, `add_time`, `id`, `deleted`);
