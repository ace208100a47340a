import { expect, test } from '@jest/globals';
import {
  inDialect,
  isEnglish,
  membersOnly,
  noOthers,
  isUnset,
  firstUnsupported,
} from '../../providers/supportedParameters.ts';
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
])('of %j the first that is not supported is %j', (given, expected) => {
  expect(firstUnsupported<Record<string, unknown>>(supported as never, given)).toEqual(expected);
});

test('no others means none that asks for anything', () => {
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
] as const)('OpenAI’s %s and %j', (model, given, name) => {
  expect(firstUnsupported(openAiAudioParameters.transcription!(model, given), given)?.name).toBe(name);
});
