import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openApiDocument } from '../../../clients/openapiDocument.ts';
import { hashOf, hashOfFiles } from '../../../clients/python/generate/stamps.ts';

const folder = join(import.meta.dirname, '../../../clients/python/src/ledgerline');
const stamps = readFileSync(join(folder, 'generated/__init__.py'), 'utf8');

// Otherwise run `node clients/python/generate/main.ts`.
test('the calls and types of the package for Python are those of the document', async () => {
  expect(stamps).toContain(`DOCUMENT_SHA256 = "${hashOf(await openApiDocument())}"`);
});

test('its synchronous client is written from the asynchronous one', () => {
  expect(stamps).toContain(`CLIENT_SHA256 = "${hashOfFiles(join(folder, '_async'))}"`);
});
