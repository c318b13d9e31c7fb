-- +goose Up
ALTER TABLE `idempotency` ADD KEY `ix_idem_subject` (`subject`);
