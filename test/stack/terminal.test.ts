import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstTextModel } from '../../stack/parts.ts';
import { summaryOf } from '../../stack/terminal.ts';
import { type TestFolder, makeFolder } from '../support/folder.ts';

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

test('the first request goes to the first text model that can answer', async () => {
  const file = await catalogueOf([model('vector', 'embedding', 'vendor'), embedded, model('large', 'text', 'vendor')]);
  await expect(firstTextModel(file, { hasEmbeddedModel: true })).resolves.toBe('small');
  await expect(firstTextModel(file, { hasEmbeddedModel: false })).resolves.toBe('large');
});

test('without a model that can answer no request is offered, and it says why', async () => {
  const textModel = await firstTextModel(await catalogueOf([embedded]), { hasEmbeddedModel: false });
  const summary = summaryOf({ apiUrl: 'http://127.0.0.1:4000', key: null, textModel, isWorking: true }, 1);
  expect(summary).not.toContain('curl');
  expect(summary).toContain('EMBEDDED_MODEL is off');
});

test('while Temporal is being obtained it says that runs wait', () => {
  const installation = { apiUrl: 'http://127.0.0.1:4000', key: null, textModel: 'small' };
  const waits = 'Runs and reviews are accepted and stay queued';
  expect(summaryOf({ ...installation, isWorking: false }, 1)).toContain(waits);
  expect(summaryOf({ ...installation, isWorking: true }, 1)).not.toContain(waits);
});
