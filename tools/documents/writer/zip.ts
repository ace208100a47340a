import { deflateRawSync } from 'node:zlib';
import { endOf, entryOf, headOf, zipFileOf } from '../../../base/zip.ts';

/** A file of an archive. */
export interface ZipPart {
  path: string;
  content: string;
}

/** A ZIP archive of texts. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const file = zipFileOf(path, bytes, packed);
    directory.push(entryOf(file, offset));
    const body = Buffer.concat([headOf(file), packed]);
    bodies.push(body);
    offset += body.length;
  }
  return Buffer.concat([...bodies, ...directory, endOf(directory, offset)]);
}
