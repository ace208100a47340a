const PATH_BYTES_MAX = 1_024;
const NAME_BYTES_MAX = 255;
const FORBIDDEN = /[\\\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a path names a file inside the work folder: relative, without `.`, `..`, empty or over-long names. */
export function isFilePath(path: string): boolean {
  if (Buffer.byteLength(path) > PATH_BYTES_MAX || FORBIDDEN.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && nameFits(name));
}

const nameFits = (name: string) => Buffer.byteLength(name) <= NAME_BYTES_MAX;

const SNIFFED_BYTES = 8192;

/**
 * The text in the bytes, or undefined for binary data. A byte order mark selects UTF-8 or UTF-16; without one it is UTF-8 if valid and
 * Windows-1252 otherwise, which is always valid.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = markedEncoding(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The bytes as a program reads them: their text, or a lossy UTF-8 decoding of binary data. */
export const textFor = (bytes: Uint8Array): string => decodeText(bytes) ?? new TextDecoder().decode(bytes);

function markedEncoding([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}
