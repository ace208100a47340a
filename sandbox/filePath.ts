const PATH_BYTES_MAX = 1_024;
const NAME_BYTES_MAX = 255;
const FORBIDDEN = /[\\\p{Cc}\p{Cs}]/u;

/** Whether a path names a file inside the work folder: relative, without `.`, `..`, empty or over-long names. */
export function isFilePath(path: string): boolean {
  if (Buffer.byteLength(path) > PATH_BYTES_MAX || FORBIDDEN.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && nameFits(name));
}

const nameFits = (name: string) => Buffer.byteLength(name) <= NAME_BYTES_MAX;
