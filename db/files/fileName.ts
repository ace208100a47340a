import { StorageRefused } from './storageRefused.ts';

const NAME_BYTES_MAX = 255;
// Separators would make a path of a name; control characters and half surrogates have no place in a header or a listing.
const FORBIDDEN = /[/\\\p{Cc}\p{Cs}]/u;

/** A name of a file or a directory in the form in which it is kept (NFC). Throws `invalid_name`. */
export function fileNameOf(name: string): string {
  const normal = name.normalize('NFC');
  const problem = problemOf(normal);
  if (problem) throw new StorageRefused('invalid_name', problem);
  return normal;
}

function problemOf(name: string): string | undefined {
  if (name.trim() === '') return 'The file needs a name.';
  if (name === '.' || name === '..') return `'${name}' cannot be a name.`;
  if (FORBIDDEN.test(name)) return 'A name has no slashes, backslashes or control characters.';
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) return `A name has at most ${NAME_BYTES_MAX} bytes.`;
  return undefined;
}
