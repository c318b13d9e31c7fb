-- Lets staff take a comment off the pages of the shop without deleting it.
-- +goose Up
-- The shop lists and counts the comments on a subject from the key alone, so the mark belongs to it.
ALTER TABLE `comment`
  ADD COLUMN `hidden` TINYINT(1) NOT NULL DEFAULT 0 AFTER `star`,
  DROP KEY `ix_comment_value`,
  ADD KEY `ix_comment_value` (`type`, `value_id`, `add_time`, `id`, `deleted`, `hidden`, `has_picture`);
