import { expect, test } from '@jest/globals';
import {
  inDialect,
  isEnglish,
  membersOnly,
  noOthers,
  isUnset,
  firstUnsupported,
} from '../../providers/supportedParameters.ts';
import { elevenLabsParameters } from '../../providers/elevenlabs.ts';
import { embeddedParameters } from '../../engines/supportedParameters.ts';
import { openAiAudioParameters } from '../../providers/openaiAudio.ts';

const supported = {
  language: isEnglish,
  seed: true as const,
  settings: membersOnly(['stability']),
  others: inDialect('elevenlabs'),
};
const others = (dialect: 'openai' | 'elevenlabs', members: Record<string, unknown>) => ({
  others: { dialect, members },
});

test.each([
  [{}, undefined],
  [{ seed: 0, language: 'en-GB', prompt: undefined }, undefined],
  [{ language: 'enm' }, { name: 'language' }],
  [{ prompt: 'a' }, { name: 'prompt' }],
  [{ settings: { stability: 1, style: undefined } }, undefined],
  [{ settings: { style: 0 } }, { name: 'settings', member: 'style' }],
  [others('elevenlabs', { odd: 1 }), undefined],
  [others('openai', { no: false, odd: 1 }), { name: 'others', member: 'odd' }],
  [others('openai', { no: false, none: [] }), undefined],
])('of %j the first unsupported one is %j', (given, expected) => {
  expect(firstUnsupported<Record<string, unknown>>(supported as never, given)).toEqual(expected);
});

test('supporting no others refuses every member that has an effect', () => {
  expect(noOthers({ dialect: 'openai', members: { a: '', b: null } })).toBe(true);
  expect(noOthers({ dialect: 'openai', members: { a: '', b: 0 } })).toBe('b');
  expect([undefined, null, false, 'false', '', []].every(isUnset)).toBe(true);
  expect([0, 'no', true, ['a']].some(isUnset)).toBe(false);
});

test.each([
  ['whisper-1', { times: 'words', prompt: 'a' }, undefined],
  ['whisper-1', { logprobs: true }, 'logprobs'],
  ['whisper-1', { translate: true, times: 'segments' }, undefined],
  ['whisper-1', { translate: true, times: 'words' }, 'times'],
  ['gpt-4o-transcribe', { logprobs: true }, undefined],
  ['gpt-4o-transcribe', { times: 'segments' }, 'times'],
] as const)("OpenAI's %s is checked with %j", (model, given, name) => {
  expect(firstUnsupported(openAiAudioParameters.transcription!(model, given), given)?.name).toBe(name);
});

test.each([
  ['OpenAI', openAiAudioParameters],
  ['ElevenLabs', elevenLabsParameters],
  ['the embedded engine', embeddedParameters({ takesPrompt: () => false })],
])('a transcription for a conversation is supported by %s', (_name, { transcription }) => {
  const given = { isLive: true };
  expect(firstUnsupported(transcription!('whisper-1', given), given)).toBeUndefined();
});
