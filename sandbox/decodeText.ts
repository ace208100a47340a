const SNIFFED_BYTES = 8192;

/**
 * The text in the bytes, or undefined when they are no text. A byte order mark decides between UTF-8 and UTF-16; without
 * one it is UTF-8 where that fits and Windows' superset of Latin-1 otherwise, which fits always.
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

/** What a program reads in bytes: their text, and UTF-8 as far as it goes where they hold none. */
export const textFor = (bytes: Uint8Array): string => decodeText(bytes) ?? new TextDecoder().decode(bytes);

function markedEncoding([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}
