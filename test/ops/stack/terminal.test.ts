import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { localPageUrl } from '../../../base/web.ts';
import { firstTextModel } from '../../../ops/stack/parts.ts';
import { summaryOf } from '../../../ops/stack/terminal.ts';
import { type TestFolder, makeFolder } from '../../support/folder.ts';

const upstreams = { embedded: { baseUrl: '${EMBEDDED_URL}' }, vendor: { baseUrl: 'https://vendor.example/v1' } };
const model = (id: string, kind: string, upstream: string) => ({ id, kind, upstreams: [{ upstream }] });
const embedded = model('small', 'text', 'embedded');

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

async function catalogueOf(models: object[]): Promise<string> {
  const file = join(folder.path, 'catalog.json');
  await writeFile(file, JSON.stringify({ upstreams, models }));
  return file;
}

const addresses = { apiUrl: 'http://127.0.0.1:4000', consoleUrl: 'http://localhost:4000' };

test('the example request uses the first text model that can answer', async () => {
  const file = await catalogueOf([model('vector', 'embedding', 'vendor'), embedded, model('large', 'text', 'vendor')]);
  await expect(firstTextModel(file, { hasEmbeddedModel: true })).resolves.toBe('small');
  await expect(firstTextModel(file, { hasEmbeddedModel: false })).resolves.toBe('large');
});

test('without a model that can answer no request is printed, but the reason', async () => {
  const textModel = await firstTextModel(await catalogueOf([embedded]), { hasEmbeddedModel: false });
  const summary = summaryOf(
    { ...addresses, key: null, signInUrl: null, textModel, isWorking: true, hasPages: true },
    1,
  );
  expect(summary).not.toContain('curl');
  expect(summary).toContain('EMBEDDED_MODEL is off');
});

test('while Temporal is being installed the summary says that runs wait', () => {
  const installation = { ...addresses, key: null, signInUrl: null, textModel: 'small', hasPages: true };
  const waits = 'Runs and reviews are accepted and stay queued';
  expect(summaryOf({ ...installation, isWorking: false }, 1)).toContain(waits);
  expect(summaryOf({ ...installation, isWorking: true }, 1)).not.toContain(waits);
});

test('the first start says that the console is still being built', () => {
  const installation = { ...addresses, key: null, signInUrl: null, textModel: 'small', isWorking: true };
  const first = summaryOf({ ...installation, hasPages: false }, 1);
  expect(first).toContain('The API is up after 1.0 s, and the console is still being built.');
  expect(first).toMatch(/Console {6}\S+ {3}\(in a minute or two/);
  expect(summaryOf({ ...installation, hasPages: true }, 1)).toContain('Ledgerline is up after 1.0 s.');
});

test('people open the console at a name, programs may use the address', () => {
  const lines = summaryOf(
    { ...addresses, key: null, signInUrl: null, textModel: 'small', isWorking: true, hasPages: true },
    1,
  );
  expect(lines).toContain('Console      http://localhost:4000/\n');
  expect(lines).toContain('curl http://127.0.0.1:4000/v1/chat/completions');
});

test.each([
  ['127.0.0.1', 'http://localhost:4000'],
  ['0.0.0.0', 'http://localhost:4000'],
  ['::1', 'http://localhost:4000'],
  ['10.0.0.7', 'http://10.0.0.7:4000'],
])('the console of an API at %s is at %s', (host, url) => {
  expect(localPageUrl(host, 4000)).toBe(url);
});
