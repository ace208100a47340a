import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openApiDocument } from '../../../clients/openapiDocument.ts';
import { typesOf } from '../../../clients/typescript/generate.ts';

const file = join(import.meta.dirname, '../../../clients/typescript/src/generated/api.ts');

test('the types of the package are those of the document: node clients/generate.ts writes them', async () => {
  const [written, wanted] = await Promise.all([readFile(file, 'utf8'), openApiDocument().then(typesOf)]);
  // Compared here, because a difference would be printed with 20,000 lines.
  expect(written === wanted).toBe(true);
});
