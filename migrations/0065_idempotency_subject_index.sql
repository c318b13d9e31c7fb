-- The keys that wait for the same work are found by it, to be settled together.
-- +goose Up
ALTER TABLE `idempotency` ADD KEY `ix_idem_subject` (`subject`);
