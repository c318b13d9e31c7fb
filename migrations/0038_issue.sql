-- Help questions and their answers.
-- +goose Up
CREATE TABLE IF NOT EXISTS `issue` (
  `id`          BIGINT NOT NULL AUTO_INCREMENT,
  `question`    VARCHAR(255) NULL DEFAULT NULL,
  `answer`      VARCHAR(2000) NULL DEFAULT NULL,
  `add_time`    DATETIME(3) NOT NULL,
  `update_time` DATETIME(3) NOT NULL,
  `deleted`     TINYINT(1) NOT NULL DEFAULT 0,
  `version`     INT NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_issue_list` (`add_time`, `id`, `deleted`)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;
