-- Which operator holds which role, as rows, so that "is this role still in use" is one probe of an index.
-- +goose Up
CREATE TABLE IF NOT EXISTS `admin_role` (
  `admin_id` BIGINT NOT NULL,
  `role_id`  BIGINT NOT NULL,
  `position` SMALLINT NOT NULL DEFAULT 0,
  `add_time` DATETIME(3) NOT NULL,
  PRIMARY KEY (`admin_id`, `role_id`),
  KEY `ix_admin_role_role` (`role_id`, `admin_id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
