import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readCatalog } from '../../support/readCatalog.ts';
import { costNanosOf, quantityOfMs } from '../../../db/money.ts';

const catalog = readCatalog(join(import.meta.dirname, '..', '..', '..', 'catalog.json'), () => '');

describe('the price of audio', () => {
  test('is that of the fraction of a minute, rounded once', () => {
    const rates = { audio_minutes: 6_000_000_000n };
    expect(costNanosOf({ audio_minutes: quantityOfMs('audio_minutes', 60_000) }, rates)).toBe(6_000_000n);
    expect(costNanosOf({ audio_minutes: quantityOfMs('audio_minutes', 1) }, rates)).toBe(100n);
    // Slightly more than a third of a minute, at a price that is not divisible by sixty thousand.
    expect(costNanosOf({ audio_minutes: quantityOfMs('audio_minutes', 20_001) }, { audio_minutes: 1_000_000n })).toBe(
      333n,
    );
  });

  test('is exact for every length in milliseconds', () => {
    for (let ms = 0; ms < 200_000; ms += 37)
      expect(costNanosOf({ audio_seconds: quantityOfMs('audio_seconds', ms) }, { audio_seconds: 1_000_000n })).toBe(
        BigInt(ms),
      );
  });
});

describe('names of audio models', () => {
  test.each([
    ['tts-1', 'speech', 'ledgerline-speech'],
    ['tts-1-hd', 'speech', 'ledgerline-speech'],
    ['eleven_anything_at_all', 'speech', 'ledgerline-speech'],
    ['eleven_multilingual_sts_v2', 'speech', 'ledgerline-speech'],
    ['whisper-1', 'transcription', 'ledgerline-transcription'],
    ['gpt-4o-transcribe', 'transcription', 'ledgerline-transcription'],
    ['gpt-4o-mini-transcribe', 'transcription', 'ledgerline-transcription'],
    ['scribe_v1', 'transcription', 'ledgerline-transcription'],
    ['scribe_v2', 'transcription', 'ledgerline-transcription'],
    ['eleven_multilingual_sts_v2', 'conversion', 'ledgerline-voice-conversion'],
    ['eleven_english_sts_v2', 'conversion', 'ledgerline-voice-conversion'],
    ['tts-2', 'speech', undefined],
    ['eleven_turbo_v2', 'conversion', undefined],
    ['eleven_turbo_v2', 'transcription', undefined],
    ['smollm2-135m-instruct', 'speech', undefined],
  ] as const)('%s means, for %s, %s', (name, kind, id) => {
    expect(catalog.findOfKind(name, kind)?.id).toBe(id);
  });

  test('that are unknown have a closest one of their kind', () => {
    expect(catalog.nearest('tts-2', 'speech')).toBe('ledgerline-speech');
    expect(catalog.nearest('whisper-2', 'transcription')).toBe('ledgerline-transcription');
  });
});
