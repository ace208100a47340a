import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetRead, type SchemaElement } from 'hyparquet';
import { type BasicType, ByteWriter, ParquetWriter } from 'hyparquet-writer';

/** How a column of the database is written: the value in JavaScript is beside each kind. */
export type ColumnKind =
  /** A text. */
  | 'text'
  /** A number. */
  | 'int'
  /** A bigint. */
  | 'bigint'
  /** A boolean. */
  | 'bool'
  /** A bigint of microseconds since 1970, UTC. */
  | 'time'
  /** A number. */
  | 'double'
  /** Bytes. */
  | 'bytes';

/** A column of a file. Every column may be null. */
export interface Column {
  name: string;
  kind: ColumnKind;
}

export type Value = string | number | bigint | boolean | Uint8Array | null;

/** Readers skip what they do not need by whole groups: so many rows of it are read for one row. */
export const GROUP_ROWS = 10_000;
const ZSTD_LEVEL = 6;
const WRITTEN_BY = 'ledgerline';

const TYPES: Record<ColumnKind, BasicType> = {
  text: 'STRING',
  int: 'INT32',
  bigint: 'INT64',
  bool: 'BOOLEAN',
  double: 'DOUBLE',
  time: 'INT64',
  bytes: 'BYTE_ARRAY',
};

/**
 * Writes rows as a Parquet file in memory, compressed with Zstandard: add row groups, then take the bytes. `notes` are kept in the footer
 * of the file.
 */
export function writeParquet(columns: Column[], notes: Record<string, string> = {}) {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)],
    codec: 'ZSTD',
    compressors: { ZSTD: compress },
    // Whole ids: a cut one would not tell one workspace from another.
    statisticsTruncateLength: Infinity,
    kvMetadata: Object.entries(notes).map(([key, value]) => ({ key, value })),
    createdBy: WRITTEN_BY,
  });
  return {
    /** Adds a row group; `rows` have their values in the order of the columns. */
    add(rows: Value[][]): void {
      const columnData = columns.map(({ name, kind }, at) => ({
        name,
        type: TYPES[kind],
        data: rows.map((row) => row[at]),
      }));
      void writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    },
    /** The bytes written since the last time: for a file that is sent while it is made. */
    take(): Uint8Array {
      const taken = bytes.getBytes().slice();
      bytes.index = 0;
      return taken;
    },
    /** Nothing can be added after this. */
    end(): Uint8Array {
      void writer.finish();
      return bytes.getBytes();
    },
  };
}

const compress = (input: Uint8Array): Uint8Array =>
  zstdCompressSync(input, { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });

function elementOf({ name, kind }: Column): SchemaElement {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (kind === 'text') return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
  if (kind === 'time')
    return {
      ...optional,
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    };
  return { ...optional, type: TYPES[kind] as NonNullable<SchemaElement['type']> };
}

/** A group of rows in a file, and the smallest and largest value of its columns, where they are known. */
export interface RowGroup {
  /** The place of its first row in the file. */
  first: number;
  rows: number;
  between: Record<string, { least: Value; most: Value }>;
}

/** An open file. */
export interface ParquetFile {
  rows: number;
  columns: string[];
  notes: Record<string, string>;
  groups: RowGroup[];
  /** Rows from one place up to another, as values in the order of `columns` (all by default). */
  read(range: { first: number; end: number; columns?: string[] }): Promise<Value[][]>;
}

/** Reads the footer of a file. `slice` reads a part of its bytes. */
export async function openParquet(file: AsyncBuffer): Promise<ParquetFile> {
  const metadata = await parquetMetadataAsync(file, { parsers: PARSERS, initialFetchSize: FOOTER_BYTES });
  const all = metadata.schema.slice(1).map(({ name }) => name);
  return {
    rows: Number(metadata.num_rows),
    columns: all,
    notes: Object.fromEntries((metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ''])),
    groups: groupsOf(metadata),
    async read({ first, end, columns = all }) {
      let found: unknown[][] = [];
      await parquetRead({
        file,
        metadata,
        columns,
        rowStart: first,
        rowEnd: end,
        // Bytes stay bytes; texts say that they are.
        utf8: false,
        parsers: PARSERS,
        compressors: { ZSTD: decompress },
        rowFormat: 'array',
        onComplete: (rows) => void (found = rows),
      });
      return found.map((row) => row.map((value) => (value ?? null) as Value));
    },
  };
}

// Most footers are smaller: then one read is enough.
const FOOTER_BYTES = 128 * 1024;
const PARSERS = { timestampFromMicroseconds: (micros: bigint): bigint => micros };
const decompress = (input: Uint8Array): Uint8Array => zstdDecompressSync(input);

function groupsOf({ row_groups: groups }: FileMetaData): RowGroup[] {
  let first = 0;
  return groups.map(({ columns, num_rows: count }) => {
    const between: RowGroup['between'] = {};
    for (const { meta_data: column } of columns) {
      const { statistics: stats, path_in_schema: path = [] } = column ?? {};
      const [least, most] = [stats?.min_value ?? stats?.min, stats?.max_value ?? stats?.max];
      if (least !== undefined && most !== undefined) between[path[0]!] = { least: least as Value, most: most as Value };
    }
    const group = { first, rows: Number(count), between };
    first += group.rows;
    return group;
  });
}
