"""Prints the answer of DuckDB to a query, as JSON: a reader of Parquet that is not ours."""
import json
import sys

import duckdb

print(json.dumps(duckdb.sql(sys.argv[1]).fetchall(), default=str))
