#!/bin/sh
# Exports lists and reports to the folder night, and loads them into the SQLite database
# night.db: ranks grow by a day each night, accounts and visits are replaced.
set -eu
mkdir -p night
reseller accounts list -o csv --columns account_id,account_name,city,status --output-file night/accounts.csv
reseller reports keywords --all -o csv --output-file night/ranks.csv --failures night/failed.csv || test $? = 3
reseller reports traffic --all --from -30d -o csv --output-file night/traffic.csv --failures night/failed-traffic.csv || test $? = 3

sqlite3 -bail night.db 'DROP TABLE IF EXISTS night' '.import --csv night/ranks.csv night' \
  'CREATE TABLE IF NOT EXISTS ranks AS SELECT date() AS day, * FROM night WHERE false' \
  'DELETE FROM ranks WHERE day = date()' \
  'INSERT INTO ranks SELECT date(), * FROM night' \
  'DROP TABLE night' \
  'DROP TABLE IF EXISTS accounts' '.import --csv night/accounts.csv accounts' \
  'DROP TABLE IF EXISTS traffic' '.import --csv night/traffic.csv traffic'
