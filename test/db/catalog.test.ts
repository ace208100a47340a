import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readCatalog } from '../../db/catalog.ts';

const catalog = readCatalog(fileURLToPath(new URL('../../catalog.json', import.meta.url)), () => '');

describe('the nearest model of an unknown name', () => {
  test.each([
    ['smollm-135m-instruct', 'smollm2-135m-instruct'],
    ['ledgerline-embeddings', 'smollm2-135m-embedding'],
    ['whisper-2', 'ledgerline-transcription'],
    ['tts-2', 'ledgerline-speech'],
  ])('%s is %s', (name, id) => {
    expect(catalog.nearest(name)).toBe(id);
  });

  test.each(['gpt-4o', 'o3', 'claude', 'x', '__proto__'])('that is like none of them is a text model: %s', (name) => {
    expect(catalog.find(catalog.nearest(name))?.kind).toBe('text');
  });

  test.each(['text', 'embedding', 'speech', 'transcription', 'conversion'] as const)(
    'is one that can do it, where a %s model is wanted',
    (kind) => {
      for (const name of ['gpt-4o', 'smollm2-135m-embedding', 'tts-1', 'whisper-1'])
        expect(catalog.find(catalog.nearest(name, kind))?.kind).toBe(kind);
    },
  );
});
