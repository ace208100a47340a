import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createVoiceProviders } from '../../providers/voiceProviders.ts';
import { startScriptedElevenLabs } from '../flow/scriptedElevenLabs.ts';
import { collect } from '../support/collect.ts';

type ScriptedElevenLabs = Awaited<ReturnType<typeof startScriptedElevenLabs>>;

const never = new AbortController().signal;
const model = {
  id: 'cloned-speech',
  kind: 'speech',
  voices: 'cloned' as const,
  upstreams: ['one', 'other', 'here'].map((upstream) => ({ upstream, model: 'm' })),
};
const order = { name: 'Mine', removeNoise: false, samples: [{ filename: 'a.wav', content: new Blob(['sound']) }] };
const measure = { pitchHz: 120, brightnessHz: 900 };

let one: ScriptedElevenLabs;
let other: ScriptedElevenLabs;
let providers: ReturnType<typeof createVoiceProviders>;
beforeAll(async () => {
  [one, other] = [await startScriptedElevenLabs(), await startScriptedElevenLabs()];
  const upstreams = new Map([
    ['one', { protocol: 'elevenlabs' as const, baseUrl: one.url }],
    ['other', { protocol: 'elevenlabs' as const, baseUrl: other.url }],
    ['unset', { protocol: 'elevenlabs' as const, baseUrl: '' }],
    ['here', { protocol: 'embedded' as const, baseUrl: '' }],
  ]);
  const preset = { ...model, id: 'preset-speech', voices: 'preset' as const };
  const unset = { id: 'conversion', kind: 'conversion', upstreams: [{ upstream: 'unset', model: 'm' }] };
  providers = createVoiceProviders(
    { upstreams, models: [preset, model, unset] },
    {
      upstream: { idleTimeoutMs: 200_000, answerTimeoutMs: 200_000, connectionsMax: 4 },
      embedded: {
        dataDir: '/nowhere',
        speechThreads: 1,
        speechCallsMax: 4,
        transcriptionProcesses: 1,
        transcriptionQueueMax: 1,
      },
    },
  );
});
afterAll(async () => {
  await providers.close();
  await Promise.all([one.stop(), other.stop()]);
});
beforeEach(() => {
  one.tell({});
  other.tell({});
});

const kindsOf = (upstream: ScriptedElevenLabs) => upstream.calls().map(({ kind }) => kind);
const speak = (upstreamIds: Record<string, string>) =>
  collect(providers.speech(model).speak({ text: 'Hello.', voice: { ...measure, upstreamIds } }, never));

test('a voice is cloned once at each upstream that has an address, and kept by its name', async () => {
  expect(await providers.cloning.add(order)).toEqual({ one: 'voice/up', other: 'voice/up' });
  expect([kindsOf(one), kindsOf(other)]).toEqual([['addVoice'], ['addVoice']]);
});

test('a voice that the second upstream refuses is not kept by the first', async () => {
  other.tell({ status: 400, code: 'bad_samples' });
  await expect(providers.cloning.add(order)).rejects.toMatchObject({
    fault: 'refused',
    detail: { message: 'It is bad_samples.', code: 'bad_samples' },
  });
  expect([kindsOf(one), kindsOf(other)]).toEqual([['addVoice', 'removeVoice'], ['addVoice']]);
});

test('a voice is changed and removed where it is, and an upstream that the catalogue has no more is passed over', async () => {
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
