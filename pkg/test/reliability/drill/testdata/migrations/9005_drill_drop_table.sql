-- A drill of make upgrade-drill drops the table likewise.
-- +goose Up
DROP TABLE IF EXISTS `drill_tail`;
