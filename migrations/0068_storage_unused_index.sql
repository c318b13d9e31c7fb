-- Finds the uploads that nothing has used for a time.
-- +goose Up
ALTER TABLE `storage` ADD KEY `ix_storage_unused` (`unused_since`, `id`, `deleted`);
