-- Finds the groups among all parts in the order of time, for the operators' list of them.
-- +goose Up
ALTER TABLE `groupon` ADD KEY `ix_groupon_list` (`add_time`, `id`, `deleted`, `groupon_id`, `status`);
