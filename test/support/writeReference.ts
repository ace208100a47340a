import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './referencePages.ts';

/** `npm run docs`: writes the generated pages of `docs/reference/`, and `docs/operate/mirrors.md`. */
for (const [path, text] of Object.entries(await referencePages()))
  writeFileSync(join(import.meta.dirname, '../..', path), text);
