import { expect, test } from '@jest/globals';
import { readSources } from '../../support/sources.ts';

test('no route reaches an engine for sound without a hold', () => {
  const sources = readSources().filter(({ folder }) => folder === 'api');
  const textOf = (path: string) => sources.find((source) => source.path === path)!.text;
  const reaching = sources.filter(({ text }) => /voiceProviders\b[\s\S]{0,20}\.\w+\(model\)/.test(text));
  expect(reaching.map(({ path }) => path).toSorted()).toEqual([
    'api/sound/speakAloud.ts',
    'api/sound/transcribe.ts',
    'api/voice/speechToSpeech.ts',
  ]);
  // The last two are called by what `hearSound` runs, which places the hold before it decodes.
  for (const [path, begins] of [
    ['api/sound/speakAloud.ts', 'await produce('],
    ['api/sound/heardCall.ts', 'await decodeSound('],
  ] as const) {
    const holdAt = textOf(path).indexOf('await placeHold(');
    expect(holdAt).toBeGreaterThan(0);
    expect(holdAt).toBeLessThan(textOf(path).indexOf(begins));
  }
});
