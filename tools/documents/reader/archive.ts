import { inflateRawSync } from 'node:zlib';
import { MIB } from '../../../base/limits.ts';
import { DocumentError } from '../documentError.ts';

/** The parts of an office document, by path. */
export interface Archive {
  has(path: string): boolean;
  /** Inflates a part. Throws DocumentError if it is missing, damaged or too large. */
  read(path: string): Buffer;
}

const PARTS_MAX = 10_000;
const PART_BYTES_MAX = 64 * MIB;
const ALL_BYTES_MAX = 192 * MIB;

const END_SIGNATURE = 0x0605_4b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const ENTRY_SIGNATURE = 0x0201_4b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x0403_4b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

interface Part {
  at: number;
  method: number;
  packedBytes: number;
  isEncrypted: boolean;
}

/**
 * Opens a ZIP archive in memory. Only requested parts are inflated; declared sizes are not trusted. Throws DocumentError for a damaged
 * archive.
 */
export function openArchive(file: Buffer): Archive {
  const parts = readDirectory(file);
  let leftBytes = ALL_BYTES_MAX;
  return {
    has: (path) => parts.has(path),
    read: (path) => {
      const part = parts.get(path);
      if (!part) throw new DocumentError(`The document is damaged: its part ${path.slice(0, 100)} is missing.`);
      const bytes = inflate(file, part, Math.min(PART_BYTES_MAX, leftBytes));
      leftBytes -= bytes.length;
      return bytes;
    },
  };
}

function readDirectory(file: Buffer): Map<string, Part> {
  const end = findEnd(file);
  const count = file.readUInt16LE(end + 10);
  if (count > PARTS_MAX) throw new DocumentError(`The document has more than ${PARTS_MAX} parts.`);
  const parts = new Map<string, Part>();
  let at = file.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > file.length || file.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damaged();
    const nameEnd = at + ENTRY_BYTES + file.readUInt16LE(at + 28);
    parts.set(file.toString('utf8', at + ENTRY_BYTES, nameEnd), {
      at: file.readUInt32LE(at + 42),
      method: file.readUInt16LE(at + 10),
      packedBytes: file.readUInt32LE(at + 20),
      isEncrypted: (file.readUInt16LE(at + 8) & 1) === 1,
    });
    at = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
}

/** The end of the directory: the last record of the file, before a comment. */
function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = file.length - END_BYTES; at >= first; at--) if (file.readUInt32LE(at) === END_SIGNATURE) return at;
  throw damaged();
}

function inflate(file: Buffer, { at, method, packedBytes, isEncrypted }: Part, bytesMax: number): Buffer {
  if (isEncrypted) throw new DocumentError('The document is locked with a password.');
  if (at + LOCAL_BYTES > file.length || file.readUInt32LE(at) !== LOCAL_SIGNATURE) throw damaged();
  const start = at + LOCAL_BYTES + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28);
  const packed = file.subarray(start, start + packedBytes);
  if (packed.length < packedBytes) throw damaged();
  if (method !== STORED && method !== DEFLATED) throw damaged();
  if (method === STORED && packed.length > bytesMax) throw tooLarge();
  try {
    return method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, bytesMax) });
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : damaged();
  }
}

const damaged = () => new DocumentError('The document is damaged: it is no complete archive.');
const tooLarge = () => new DocumentError('The document is too large to read: its parts inflate beyond the limit.');
