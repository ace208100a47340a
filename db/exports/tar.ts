const BLOCK_BYTES = 512;

/** The header of a file in a tar archive (ustar), for names of at most 100 bytes. */
export function tarHeader(name: string, sizeBytes: number, modifiedAt: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for an archive.`);
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(name, 0);
  header.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  header.write(`${octal(sizeBytes, 11)}\0${octal(Math.floor(modifiedAt.getTime() / 1000), 11)}\0`, 124);
  // The checksum is computed with spaces in its own place.
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** The padding of a file to the next block. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES);
}

/** The end of an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK_BYTES);
