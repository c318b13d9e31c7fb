-- The trace of the request that queued an event (W3C traceparent), to which its delivery is linked.
-- +goose Up
ALTER TABLE `outbox_event` ADD COLUMN `trace_parent` varchar(64) DEFAULT NULL AFTER `locked_by`;
