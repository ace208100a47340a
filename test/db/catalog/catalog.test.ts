import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readCatalog } from '../../support/readCatalog.ts';

const catalog = readCatalog(fileURLToPath(new URL('../../../catalog.json', import.meta.url)), () => '');

describe("a name of the clients' own types", () => {
  test.each([
    ['gpt-4o-mini-tts-2025-12-15', 'ledgerline-speech'],
    ['gpt-4o-mini-transcribe-2025-12-15', 'ledgerline-transcription'],
    ['gpt-transcribe', 'ledgerline-transcription'],
    ['gpt-realtime-whisper', 'ledgerline-transcription'],
    ['scribe_v2_realtime', 'ledgerline-transcription'],
    ['gpt-realtime-2.1-mini', 'ledgerline-realtime-1'],
    ['gpt-realtime-2025-08-28', 'ledgerline-realtime-1'],
    ['gpt-4o-mini-realtime-preview-2024-12-17', 'ledgerline-realtime-1'],
  ])('%s is %s', (name, id) => {
    const model = catalog.find(name)!;
    expect([model.id, catalog.findOfKind(name, model.kind)?.id]).toEqual([id, id]);
  });

  test('with a date is no text model, whose versions have prices of their own', () => {
    expect(catalog.find('ledgerline-text-2025-08-28')).toBeUndefined();
    expect(catalog.findOfKind('whisper-1-2025-08-28', 'speech')).toBeUndefined();
  });
});

describe('the closest model to an unknown name', () => {
  test.each([
    ['smollm-135m-instruct', 'smollm2-135m-instruct'],
    ['ledgerline-embeddings', 'smollm2-135m-embedding'],
    ['whisper-2', 'ledgerline-transcription'],
    ['tts-2', 'ledgerline-speech'],
    ['gpt-4o-mini-tts-2025-03-20', 'ledgerline-speech'],
    ['text-embedding-3-small', 'smollm2-135m-embedding'],
    ['gpt-4o-transcribe-diarize', 'ledgerline-transcription'],
    ['SmolLM2 135M', 'smollm2-135m-instruct'],
  ])('%s is %s', (name, id) => {
    expect(catalog.nearest(name)).toBe(id);
  });

  test.each(['gpt-4o', 'o3', 'claude', 'x', '__proto__'])('that resembles none is a text model: %s', (name) => {
    expect(catalog.find(catalog.nearest(name)!)?.kind).toBe('text');
  });

  test.each(['text', 'embedding', 'speech', 'transcription', 'conversion'] as const)(
    'belongs to the required kind, here %s',
    (kind) => {
      for (const name of ['gpt-4o', 'smollm2-135m-embedding', 'tts-1', 'whisper-1'])
        expect(catalog.find(catalog.nearest(name, kind)!)?.kind).toBe(kind);
    },
  );
});
