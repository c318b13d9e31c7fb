-- Finds the groups under a rule that gather members.
-- +goose Up
ALTER TABLE `groupon` ADD KEY `ix_groupon_open` (`rules_id`, `status`, `groupon_id`, `member_count`, `id`, `deleted`);
