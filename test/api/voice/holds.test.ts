import { expect, test } from '@jest/globals';
import { readSources } from '../../support/sources.ts';

test('no route reaches an engine for sound without a hold', () => {
  const sources = readSources().filter(({ folder }) => folder === 'api');
  const textOf = (path: string) => sources.find((source) => source.path === path)!.text;
  const reaching = sources.filter(({ text }) =>
    /voiceProviders\b[\s\S]{0,20}\.\w+\(model\)\s*\.(speak|transcribe|convert)\b/.test(text),
  );
  expect(reaching.map(({ path }) => path).toSorted()).toEqual([
    'api/sound/speechCall.ts',
    'api/sound/transcribe.ts',
    'api/voice/speechToSpeech.ts',
  ]);
  // The last two are called by what `runAudioCall` runs: it decodes for an account with money, and holds the price before the work.
  for (const [path, first, then] of [
    ['api/sound/speechCall.ts', 'await holdPrice(', 'await produce('],
    ['api/sound/audioCall.ts', 'await refuseUnfunded(', 'await decodeSound('],
    ['api/sound/audioCall.ts', 'await reserve(', 'await work('],
  ] as const) {
    expect(textOf(path)).toContain(first);
    expect(textOf(path).indexOf(first)).toBeLessThan(textOf(path).indexOf(then));
  }
});
