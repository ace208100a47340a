import { afterAll, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCatalogFile } from '../../../db/catalog/catalogFile.ts';
import { makeFolder } from '../../support/folder.ts';
import { readText } from '../../support/sources.ts';

const model = {
  id: 'swift',
  kind: 'text',
  aliases: ['fast'],
  created: 1_761_955_200,
  upstreams: [{ upstream: 'main', model: 'swift' }],
  usdPerMillion: { input_tokens: 0.3, output_tokens: 2.5 },
};
const catalogue = { upstreams: { main: { baseUrl: 'http://127.0.0.1:1/v1' } }, models: [model] };

const folder = await makeFolder();
afterAll(() => folder.remove());

async function reading(content: string): Promise<() => unknown> {
  const file = join(folder.path, 'catalog.json');
  await writeFile(file, content);
  return () => readCatalogFile(file);
}

const withModel = (change: object) => JSON.stringify({ ...catalogue, models: [{ ...model, ...change }] });

describe('a catalogue', () => {
  test('is parsed with all members', async () => {
    expect((await reading(JSON.stringify(catalogue)))()).toEqual({ sandboxUsdPerSecond: 0.00005, ...catalogue });
  });

  test.each(['models', 'routing'])('of the operators’ page %s is read, whole or with a model', async (page) => {
    const blocks = [...readText(`docs/operate/${page}.md`).matchAll(/^```json\n([^]*?)^```/gm)];
    expect(blocks.length).toBeGreaterThan(0);
    for (const [, text] of blocks) {
      const { upstreams, models } = JSON.parse(text!) as { upstreams: object; models?: object[] };
      const serving = Object.keys(upstreams).map((upstream) => ({ upstream, model: 'swift' }));
      const main = { baseUrl: 'http://127.0.0.1:1/v1', ...(upstreams as { main?: object }).main };
      const whole = {
        upstreams: 'main' in upstreams ? { main } : upstreams,
        models: [{ ...model, upstreams: serving }],
      };
      expect(await reading(JSON.stringify(models ? JSON.parse(text!) : whole))).not.toThrow();
    }
  });

  test.each([
    ['is not JSON', '{bad', 'in JSON at position 1'],
    ['has no models', JSON.stringify({ ...catalogue, models: [] }), 'models: '],
    ['describes no upstream', JSON.stringify({ models: [model] }), 'upstreams: '],
    [
      'names an upstream that it does not describe',
      withModel({ upstreams: [{ upstream: 'x', model: 'y' }] }),
      'described: x',
    ],
    ['has a model without an upstream', withModel({ upstreams: [] }), 'models.0.upstreams: '],
    ['has a model of no kind', withModel({ kind: 'poetry' }), 'models.0.kind: '],
    ['has an unknown member', withModel({ alias: 'quick' }), '"alias"'],
    [
      'has no price for output',
      withModel({ usdPerMillion: { input_tokens: 1 } }),
      'usdPerMillion: needs a price for output_tokens',
    ],
    [
      'pays its customers',
      withModel({ usdPerMillion: { input_tokens: -1, output_tokens: 1 } }),
      'usdPerMillion.input_tokens: ',
    ],
    [
      'has a price too fine to be reckoned with',
      withModel({ usdPerMillion: { input_tokens: 1e-7, output_tokens: 1 } }),
      'usdPerMillion.input_tokens: ',
    ],
    [
      'has a price for an unknown unit',
      withModel({ usdPerMillion: { input_tokens: 1, output_tokens: 1, banana: 1 } }),
      'usdPerMillion.banana: is not a unit that a text model is billed by: input_tokens, output_tokens, cached_input_tokens',
    ],
    [
      'has a rule for an unknown parameter',
      JSON.stringify({ ...catalogue, upstreams: { main: { parameters: { models: 'maybe' } } } }),
      'upstreams.main.parameters.models: ',
    ],
    ['sends what no model can be sent', withModel({ inputMediaTypes: ['video/mp4'] }), 'models.0.inputMediaTypes.0: '],
    [
      'calls two models alike',
      JSON.stringify({ ...catalogue, models: [model, { ...model, id: 'fast' }] }),
      'like another model: fast',
    ],
  ])('that %s is refused with its name and the position in it', async (_, content, reason) => {
    const read = await reading(content);
    expect(read).toThrow(`MODEL_CATALOG_FILE: the catalogue ${join(folder.path, 'catalog.json')} cannot be used: `);
    expect(read).toThrow(reason);
  });

  test('that does not exist is refused with its name', () => {
    expect(() => readCatalogFile('/nowhere.json')).toThrow(
      'MODEL_CATALOG_FILE: the catalogue /nowhere.json cannot be used',
    );
  });
});
