import { isFilePath } from '../../sandbox/filePath.ts';
import { ToolFailure } from '../tool.ts';

/**
 * The path of a session file, normalised to Unicode's NFC. Throws ToolFailure for an invalid path. Paths are keys of rows and are never
 * joined to a path of the host; the rules keep them equal here, in the sandbox, and in a download.
 */
export function filePathOf(given: string): string {
  const path = given.normalize('NFC');
  if (isFilePath(path)) return path;
  throw new ToolFailure(
    `'${shown(path)}' is no path of a session file. A path is relative, like 'reports/june.csv': names of 1 to 255 bytes, none of them '.' or '..', without backslashes and control characters.`,
  );
}

const shown = (path: string) => path.slice(0, 100).replaceAll(/[\p{Cc}\p{Cs}]/gu, '?');
