import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive. */
export interface ZipPart {
  path: string;
  content: string;
}

const VERSION = 20;
const DEFLATED = 8;
const UTF8_NAMES = 0x0800;
/** The first of January 1980, the earliest date of the format: equal contents give equal archives. */
const DATE = 0x0021;

/** A ZIP archive of texts. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const name = Buffer.from(path);
    const facts = factsOf(bytes, packed, name);
    const body = Buffer.concat([headOf('PK\u0003\u0004', [VERSION]), facts, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(headOf('PK\u0001\u0002', [VERSION, VERSION]), facts, place, name);
    bodies.push(body);
    offset += body.length;
  }
  return Buffer.concat([...bodies, ...directory, endOf(parts.length, Buffer.concat(directory).length, offset)]);
}

function headOf(signature: string, versions: number[]): Buffer {
  const head = Buffer.alloc(4 + 2 * versions.length);
  head.write(signature, 'latin1');
  versions.forEach((version, index) => head.writeUInt16LE(version, 4 + 2 * index));
  return head;
}

/** The common part of a file's two headers: flags, method, date, checksum, sizes and the lengths of the names. */
function factsOf(bytes: Buffer, packed: Buffer, name: Buffer): Buffer {
  const facts = Buffer.alloc(24);
  facts.writeUInt16LE(UTF8_NAMES, 0);
  facts.writeUInt16LE(DEFLATED, 2);
  facts.writeUInt16LE(DATE, 6);
  facts.writeUInt32LE(crc32(bytes), 8);
  facts.writeUInt32LE(packed.length, 12);
  facts.writeUInt32LE(bytes.length, 16);
  facts.writeUInt16LE(name.length, 20);
  return facts;
}

function endOf(count: number, directoryBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
