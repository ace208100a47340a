import { crc32 } from 'node:zlib';

/** A file of an archive. `read` is called when its turn has come. */
export interface StoredPart {
  path: string;
  sizeBytes: number;
  read: () => Promise<Buffer>;
}

/** A file as an archive describes it, twice: before its bytes, and in the directory at the end. */
export interface ZipFile {
  name: Buffer;
  facts: Buffer;
}

const HEAD_BYTES = 30;
const ENTRY_BYTES = 46;
const END_BYTES = 22;
const VERSION = 20;
const [STORED, DEFLATED] = [0, 8];
const UTF8_NAMES = 0x0800;
/** The first of January 1980, the earliest date of the format: equal contents give equal archives. */
const DATE = 0x0021;

/** The length of the archive of `storedZip`, which is known before its files are read. */
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
    const file = zipFileOf(path, bytes);
    directory.push(entryOf(file, offset));
    const head = headOf(file);
    yield head;
    yield bytes;
    offset += head.length + bytes.length;
  }
  yield* [...directory, endOf(directory, offset)];
}

/** A file of these bytes; `packed` is what the archive has of them, deflated, unless it has them as they are. */
export function zipFileOf(path: string, bytes: Buffer, packed?: Buffer): ZipFile {
  const name = Buffer.from(path);
  // Flags, method, date, checksum, sizes and the lengths of the names.
  const facts = Buffer.alloc(24);
  facts.writeUInt16LE(UTF8_NAMES, 0);
  facts.writeUInt16LE(packed ? DEFLATED : STORED, 2);
  facts.writeUInt16LE(DATE, 6);
  facts.writeUInt32LE(crc32(bytes), 8);
  facts.writeUInt32LE((packed ?? bytes).length, 12);
  facts.writeUInt32LE(bytes.length, 16);
  facts.writeUInt16LE(name.length, 20);
  return { name, facts };
}

/** What stands before the bytes of a file. */
export function headOf({ name, facts }: ZipFile): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('PK\u0003\u0004', 'latin1');
  head.writeUInt16LE(VERSION, 4);
  facts.copy(head, 6);
  return Buffer.concat([head, name]);
}

/** The directory's entry of a file whose head is at `offset`. */
export function entryOf({ name, facts }: ZipFile, offset: number): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.write('PK\u0001\u0002', 'latin1');
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  facts.copy(entry, 8);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

/** The end of an archive: how many entries its directory has, and its size and place. */
export function endOf(directory: readonly Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
