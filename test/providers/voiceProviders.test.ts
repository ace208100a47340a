import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Held } from '../../providers/provider.ts';
import { localEngines } from '../../engines/localEngines.ts';
import { createRouting } from '../../providers/routing/routing.ts';
import { createVoiceProviders } from '../../providers/voiceProviders.ts';
import { presetVoices } from '../../providers/voices.ts';
import { startScriptedElevenLabs } from '../flow/stages/scriptedElevenLabs.ts';
import { collect } from '../support/streams.ts';
import { until } from '../support/until.ts';

type ScriptedElevenLabs = Awaited<ReturnType<typeof startScriptedElevenLabs>>;

const never = new AbortController().signal;
// A stand-in for a hold, because this test has no ledger.
const held = {} as Held;
const model = {
  id: 'cloned-speech',
  kind: 'speech',
  voices: 'cloned' as const,
  upstreams: ['one', 'other', 'here'].map((upstream) => ({ upstream, model: 'm' })),
};
const order = { name: 'Mine', removeNoise: false, samples: [{ filename: 'a.wav', content: new Blob(['sound']) }] };
const measure = { pitchHz: 120, brightnessHz: 900 };

let nowMs = 0;
let alarms: string[] = [];
const [one, other] = [await startScriptedElevenLabs(), await startScriptedElevenLabs()];
const upstreams = new Map([
  ['one', { protocol: 'elevenlabs' as const, baseUrl: one.url, timeoutsMs: { firstByte: 400, answer: 400 } }],
  ['other', { protocol: 'elevenlabs' as const, baseUrl: other.url }],
  ['unset', { protocol: 'elevenlabs' as const, baseUrl: '' }],
  ['here', { protocol: 'embedded' as const, baseUrl: '' }],
]);
const preset = { ...model, id: 'preset-speech', voices: 'preset' as const };
const heard = { id: 'transcription', kind: 'transcription', upstreams: model.upstreams.slice(0, 2) };
const unset = { id: 'conversion', kind: 'conversion', upstreams: [{ upstream: 'unset', model: 'm' }] };
const catalog = { upstreams, models: [preset, model, heard, unset] };
const upstream = { idleTimeoutMs: 200_000, answerTimeoutMs: 200_000, connectionsMax: 4 };
const withoutEngines = createVoiceProviders(catalog, { upstream, local: undefined });
const providers = createVoiceProviders(
  catalog,
  {
    upstream,
    local: localEngines.openVoices({
      dataDir: '/nowhere',
      speechThreads: 1,
      speechCallsMax: 4,
      isNeural: false,
      voices: 'auto',
      transcriptionProcesses: 1,
      transcriptionQueueMax: 1,
    }),
  },
  { routing: createRouting({ onAlarm: (name) => alarms.push(name), nowMs: () => nowMs }) },
);
afterAll(async () => {
  await Promise.all([providers.close(), withoutEngines.close()]);
  await Promise.all([one.stop(), other.stop()]);
});
beforeEach(() => {
  // Past the demotions of earlier tests.
  nowMs += 60_000;
  alarms = [];
  one.setScript({});
  other.setScript({});
});

const kindsOf = (upstream: ScriptedElevenLabs) => upstream.calls().map(({ kind }) => kind);
const speak = (upstreamIds: Record<string, string>) =>
  collect(providers.speech(model).speak(held, { text: 'Hello.', voice: { ...measure, upstreamIds } }, never));

test('a voice is cloned once at each upstream with an address, and stored by upstream name', async () => {
  expect(await providers.cloning.add(order)).toEqual({ one: 'voice/up', other: 'voice/up' });
  expect([kindsOf(one), kindsOf(other)]).toEqual([['addVoice'], ['addVoice']]);
});

test('a voice that the second upstream refuses is deleted at the first', async () => {
  other.setScript({ status: 400, code: 'bad_samples' });
  await expect(providers.cloning.add(order)).rejects.toMatchObject({
    fault: 'refused',
    detail: { message: 'It is bad_samples.', code: 'bad_samples' },
  });
  expect([kindsOf(one), kindsOf(other)]).toEqual([['addVoice', 'removeVoice'], ['addVoice']]);
});

test('a voice is changed and deleted at its upstreams, and an upstream missing in the catalogue is skipped', async () => {
  await providers.cloning.edit({ other: 'v', gone: 'v' }, order);
  await providers.cloning.remove({ other: 'v', gone: 'v' });
  expect([kindsOf(one), kindsOf(other)]).toEqual([[], ['editVoice', 'removeVoice']]);
});

test('a voice is spoken by the first upstream that has it', async () => {
  await speak({ other: 'v' });
  expect([kindsOf(one), kindsOf(other)]).toEqual([[], ['speak']]);
});

test('a voice that no upstream has is spoken by the embedded engine', async () => {
  const chunks = await speak({});
  expect(chunks.reduce((sum, { pcm }) => sum + pcm.length, 0)).toBeGreaterThan(1_000);
  expect([kindsOf(one), kindsOf(other)]).toEqual([[], []]);
});

const both = { one: 'v', other: 'v' };

describe('an installation without engines of its own', () => {
  const hereFirst = { ...model, upstreams: model.upstreams.toReversed() };
  const speakThere = (upstreamIds: Record<string, string>) =>
    collect(
      withoutEngines.speech(hereFirst).speak(held, { text: 'Hello.', voice: { ...measure, upstreamIds } }, never),
    );

  test('speaks by the next upstream of a model', async () => {
    await speakThere({ one: 'v' });
    expect(kindsOf(one)).toEqual(['speak']);
  });

  test('reports the missing engines where no other upstream can speak, and for test calls', async () => {
    const missing = { fault: 'unavailable', message: expect.stringContaining('not part of this installation') };
    await expect(speakThere({})).rejects.toMatchObject(missing);
    const test = { test: { fault: undefined } } as Held;
    const speech = withoutEngines.speech(model).speak(test, { text: 'Hello.', voice: 'alloy' }, never);
    await expect(collect(speech)).rejects.toMatchObject(missing);
  });

  test('names no engine for a preset', () => {
    expect(withoutEngines.embeddedEngineOf(hereFirst, presetVoices[0]!)).toBeUndefined();
  });
});

const silence = async function* () {
  yield new Int16Array(1_600);
};
const twoUpstreams = { id: 'transcription', upstreams: model.upstreams.slice(0, 2) };
const kindsOfCall: [string, () => Promise<unknown>][] = [
  ['speech', () => speak(both)],
  ['transcription', () => collect(providers.transcription(twoUpstreams).transcribe(held, silence(), {}, never))],
  [
    'conversion',
    () =>
      collect(
        providers
          .conversion(model)
          .convert(held, { audio: silence(), voice: { ...measure, upstreamIds: both } }, never),
      ),
  ],
];

describe.each(kindsOfCall)('%s', (_, call) => {
  test('uses the next upstream when the quota of one is exhausted, with an alarm once a minute', async () => {
    one.setScript({ status: 401, code: 'quota_exceeded' });
    for (let calls = 0; calls < 3; calls++) await call();
    expect([one.calls().length, other.calls().length]).toEqual([1, 3]);
    expect(alarms).toEqual(['one']);
    nowMs += 60_000;
    await call();
    expect(alarms).toEqual(['one', 'one']);
  });

  test('tries an upstream that did not answer last for 30 s, then with one call at a time', async () => {
    one.setScript({ after: new Promise(() => {}) });
    await call();
    expect(one.calls()).toHaveLength(1);
    await Promise.all([call(), call()]);
    expect(one.calls()).toHaveLength(1);
    nowMs += 30_001;
    await Promise.all([call(), call(), call()]);
    expect(one.calls()).toHaveLength(2);
    expect(other.calls()).toHaveLength(6);
    nowMs += 30_001;
    one.setScript({});
    await call();
    await call();
    expect(one.calls()).toHaveLength(2);
  });

  test("is not retried elsewhere when the content violates one upstream's policy", async () => {
    one.setScript({ status: 403, code: 'content_against_policy' });
    const refusal = { fault: 'refused', status: 400, detail: { code: 'content_policy_violation' } };
    await expect(call()).rejects.toMatchObject(refusal);
    expect([one.calls().length, other.calls().length]).toEqual([1, 0]);
    expect(alarms).toEqual([]);
  });
});

test('an upstream that accepts a text and sends no audio within its first-chunk timeout is replaced', async () => {
  one.setScript({ pieces: 0, ending: 'stall' });
  await speak(both);
  expect(kindsOf(other)).toEqual(['speak']);
  await until(() => one.calls()[0]?.ended === 'left');
});

test('the first-chunk timeout does not apply to audio that has begun', async () => {
  one.setScript({ delayMs: 300 });
  const chunks = await collect(
    providers.speech(model).speak(held, { text: 'Twelve chars', voice: { ...measure, upstreamIds: both } }, never),
  );
  expect(chunks.reduce((sum, { characters }) => sum + characters, 0)).toBe(12);
  expect(kindsOf(other)).toEqual([]);
});

test('a voice that cannot be cloned for lack of credit alarms the operator', async () => {
  other.setScript({ status: 402, code: 'payment_required' });
  await expect(providers.cloning.add(order)).rejects.toMatchObject({ fault: 'account' });
  expect(alarms).toEqual(['other']);
});
