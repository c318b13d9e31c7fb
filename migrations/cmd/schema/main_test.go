package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSchemaIsCurrent fails if a migration was added without `make docs`, and if the engine under test builds another
// schema than the engine that printed the file.
func TestSchemaIsCurrent(t *testing.T) {
	dsn := os.Getenv("SHOP_TEST_MYSQL_DSN")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), dsn, &out))
	want, err := os.ReadFile("../../../docs/schema.sql")
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
}

func TestNormalise(t *testing.T) {
	const mariadb = "CREATE TABLE `x` (\n" +
		"  `id` bigint(20) NOT NULL AUTO_INCREMENT,\n" +
		"  `n` int(11) NOT NULL DEFAULT 0,\n" +
		"  `flag` tinyint(1) NOT NULL DEFAULT 0,\n" +
		"  `kind` tinyint(4) DEFAULT NULL,\n" +
		"  `code` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',\n" +
		"  `name` varchar(9) NOT NULL,\n" +
		"  `body` text DEFAULT NULL,\n" +
		"  PRIMARY KEY (`id`),\n" +
		"  CONSTRAINT `ck` CHECK (`n` >= 0)\n" +
		") ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci"
	const mysql = "CREATE TABLE `x` (\n" +
		"  `id` bigint NOT NULL AUTO_INCREMENT,\n" +
		"  `n` int NOT NULL DEFAULT '0',\n" +
		"  `flag` tinyint(1) NOT NULL DEFAULT '0',\n" +
		"  `kind` tinyint DEFAULT NULL,\n" +
		"  `code` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',\n" +
		"  `name` varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL,\n" +
		"  `body` text CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,\n" +
		"  PRIMARY KEY (`id`),\n" +
		"  CONSTRAINT `ck` CHECK ((`n` >= 0))\n" +
		") ENGINE=InnoDB AUTO_INCREMENT=9 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci"
	require.Equal(t, normalise("x", mysql), normalise("x", mariadb))
	require.Contains(t, normalise("x", mariadb), "`code` varchar(9) COLLATE utf8mb4_bin NOT NULL DEFAULT ''")
	require.NotContains(t, normalise("x", mariadb), "AUTO_INCREMENT=")
	require.Contains(t, normalise("coupon_user", mariadb), "AUTO_INCREMENT=7 ")
}
