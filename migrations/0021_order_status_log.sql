-- Who moved an order from which status to which, and when, for disputes.
-- +goose Up
CREATE TABLE IF NOT EXISTS `order_status_log` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `order_id`    BIGINT NOT NULL,
  `from_status` SMALLINT NOT NULL,
  `to_status`   SMALLINT NOT NULL,
  `actor_type`  TINYINT NOT NULL,
  `actor_id`    BIGINT NOT NULL DEFAULT 0,
  `reason`      VARCHAR(255) NOT NULL DEFAULT '',
  `add_time`    DATETIME(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_osl_order` (`order_id`, `id`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
