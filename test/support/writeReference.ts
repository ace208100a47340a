import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './referencePages.ts';

/** `npm run docs`: writes the pages of `docs/reference/` that follow from the code. */
for (const [path, text] of Object.entries(referencePages()))
  writeFileSync(join(import.meta.dirname, '../..', path), text);
