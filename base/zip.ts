import { crc32 } from 'node:zlib';

/** A file of an archive. `read` is called when its turn has come. */
export interface StoredPart {
  path: string;
  sizeBytes: number;
  read: () => Promise<Buffer>;
}

const HEAD_BYTES = 30;
const ENTRY_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** The first of January 1980, the earliest date of the format: equal contents give equal archives. */
const DATE = 0x0021;

/** The length of the archive, which is known before its files are read. */
export const storedZipBytes = (parts: readonly StoredPart[]): number =>
  parts.reduce(
    (sum, { path, sizeBytes }) => sum + HEAD_BYTES + ENTRY_BYTES + 2 * Buffer.byteLength(path) + sizeBytes,
    END_BYTES,
  );

/** A ZIP archive of at most 65,535 files and 4 GiB, uncompressed, with one file in memory at a time. */
export async function* storedZip(parts: readonly StoredPart[]): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, sizeBytes, read } of parts) {
    const bytes = await read();
    if (bytes.length !== sizeBytes) throw new Error(`the file ${path} has another size than it had`);
    const name = Buffer.from(path);
    const facts = factsOf(bytes, name);
    const entry = Buffer.alloc(ENTRY_BYTES);
    entry.write('PK\u0001\u0002', 'latin1');
    entry.writeUInt16LE(VERSION, 4);
    entry.writeUInt16LE(VERSION, 6);
    facts.copy(entry, 8);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, name);
    const head = Buffer.alloc(HEAD_BYTES);
    head.write('PK\u0003\u0004', 'latin1');
    head.writeUInt16LE(VERSION, 4);
    facts.copy(head, 6);
    yield Buffer.concat([head, name]);
    yield bytes;
    offset += HEAD_BYTES + name.length + bytes.length;
  }
  yield* [...directory, endOf(parts.length, { offset, bytes: directory.reduce((sum, { length }) => sum + length, 0) })];
}

/** The common part of a file's two headers: flags, method, date, checksum, sizes and the length of the name. */
function factsOf(bytes: Buffer, name: Buffer): Buffer {
  const facts = Buffer.alloc(24);
  facts.writeUInt16LE(UTF8_NAMES, 0);
  facts.writeUInt16LE(DATE, 6);
  facts.writeUInt32LE(crc32(bytes), 8);
  facts.writeUInt32LE(bytes.length, 12);
  facts.writeUInt32LE(bytes.length, 16);
  facts.writeUInt16LE(name.length, 20);
  return facts;
}

function endOf(count: number, directory: { offset: number; bytes: number }): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.bytes, 12);
  end.writeUInt32LE(directory.offset, 16);
  return end;
}
