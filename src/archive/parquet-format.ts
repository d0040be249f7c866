// The format of the archive's files, as options of DuckDB's COPY.

export const parquetFormat = `(format parquet, compression zstd, parquet_version v2, row_group_size 122880)`;
