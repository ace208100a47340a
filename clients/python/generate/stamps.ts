import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What changes with each change of the document. */
export const hashOf = (document: object): string => hash('sha256', JSON.stringify(document));

/** What changes with each change of a folder's Python. */
export function hashOfFiles(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.py'));
  return hash(
    'sha256',
    names
      .toSorted()
      .map((name) => `${name}\n${readFileSync(join(folder, name), 'utf8')}`)
      .join('\n'),
  );
}
