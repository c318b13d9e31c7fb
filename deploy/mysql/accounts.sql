-- The database and the accounts of the shop, on MySQL or MariaDB. deploy/secrets.sh replaces the passwords; root runs the result once,
-- and again whenever a password has changed. An account keeps its connections when its password changes.
CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4;

-- Creates and alters the tables: `shopctl setup` and `shopctl migrate`, and who restores a backup.
CREATE USER IF NOT EXISTS shop@'%' IDENTIFIED BY '{{mysql-password}}';
ALTER USER shop@'%' IDENTIFIED BY '{{mysql-password}}';
GRANT ALL ON shop.* TO shop@'%';

-- The services read and write rows. They cannot create, alter, empty or drop a table.
CREATE USER IF NOT EXISTS shop_storefront@'%' IDENTIFIED BY '{{mysql-password-storefront}}';
ALTER USER shop_storefront@'%' IDENTIFIED BY '{{mysql-password-storefront}}';
GRANT SELECT, INSERT, UPDATE, DELETE ON shop.* TO shop_storefront@'%';

CREATE USER IF NOT EXISTS shop_admin@'%' IDENTIFIED BY '{{mysql-password-admin}}';
ALTER USER shop_admin@'%' IDENTIFIED BY '{{mysql-password-admin}}';
GRANT SELECT, INSERT, UPDATE, DELETE ON shop.* TO shop_admin@'%';
