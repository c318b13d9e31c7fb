-- Since when a refund waits for the platform; update_time moves with each attempt.
-- +goose Up
ALTER TABLE `refund` ADD COLUMN `released_time` datetime(3) DEFAULT NULL AFTER `done_time`;
