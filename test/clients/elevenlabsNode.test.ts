import { afterAll, describe, expect, test } from '@jest/globals';
import { readSound, makeRecogniser, testWithRecogniser } from '../support/sound.ts';
import { startClientStage } from './clientStage.ts';
import { installNodeClients } from './nodeClients.ts';

type Voice = { voiceId: string; name: string };

const text = 'The quick brown fox jumped over the lazy dog.';
const rachel = '21m00Tcm4TlvDq8ikWAM';
const mp3 = { codec: 'mp3', sampleRate: 44_100, channels: 1 };

/** The type of a client is `any`, because its package is installed by the first run of the test. */
function clientOf(apiKey: string) {
  const { ElevenLabsClient } = requireClient('@elevenlabs/elevenlabs-js');
  return new ElevenLabsClient({ apiKey, baseUrl: stage.baseUrl.replace('/textapi/v1', '/voiceapi') });
}

const requireClient = await installNodeClients();
await makeRecogniser();
const stage = await startClientStage();
const client = clientOf(stage.keys.funded);
afterAll(() => stage.stop());

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  return Buffer.from(await new Response(stream as ConstructorParameters<typeof Response>[0]).arrayBuffer());
}

const spoken = async (outputFormat: 'mp3_44100_128' | 'wav_16000' = 'mp3_44100_128') =>
  bytesOf(await client.textToSpeech.convert(rachel, { text, outputFormat, modelId: 'eleven_multilingual_v2' }));

const fileOf = (sound: Buffer) => new Blob([new Uint8Array(sound)], { type: 'audio/mpeg' });

describe('the official Node client of the voice vendor', () => {
  test('creates speech, whole and streamed', async () => {
    expect(readSound(await spoken())).toMatchObject(mp3);
    const streamed = await client.textToSpeech.stream(rachel, { text, voiceSettings: { stability: 0.4, speed: 1.1 } });
    expect(readSound(await bytesOf(streamed))).toMatchObject(mp3);
  });

  test('gets the start of each character', async () => {
    const { alignment, audioBase64 } = await client.textToSpeech.convertWithTimestamps(rachel, { text });
    expect(alignment!.characters.join('')).toBe(text);
    expect(readSound(Buffer.from(audioBase64, 'base64'))).toMatchObject(mp3);
    const heard: string[] = [];
    for await (const line of await client.textToSpeech.streamWithTimestamps(rachel, { text }))
      heard.push(...(line.alignment?.characters ?? []));
    expect(heard.join('')).toBe(text);
  });

  testWithRecogniser('transcribes', async () => {
    const file = fileOf(await spoken('wav_16000'));
    const heard = await client.speechToText.convert({ modelId: 'scribe_v1', file });
    expect(heard).toMatchObject({ text: expect.stringContaining('fox') });
    expect((heard as { languageProbability: number }).languageProbability).toBeLessThan(1);
    await expect(client.speechToText.convert({ modelId: 'scribe_v1', file, diarize: true })).rejects.toMatchObject({
      statusCode: 422,
      body: { error: { code: 'unsupported_parameter' }, detail: [{ loc: ['body', 'diarize'] }] },
    });
  });

  test('converts speech, whole and streamed', async () => {
    const audio = fileOf(await spoken());
    const whole = await client.speechToSpeech.convert('echo', { audio, modelId: 'eleven_multilingual_sts_v2' });
    expect(readSound(await bytesOf(whole))).toMatchObject(mp3);
    const streamed = await client.speechToSpeech.stream('echo', { audio, removeBackgroundNoise: true });
    expect(readSound(await bytesOf(streamed))).toMatchObject(mp3);
  });

  test('clones, changes and removes voices', async () => {
    const files = [fileOf(await spoken())];
    const { voiceId } = await client.voices.ivc.create({ name: 'Mine', files, labels: '{"accent":"odd"}' });
    expect(await client.voices.get(voiceId)).toMatchObject({ name: 'Mine', labels: { accent: 'odd' } });
    await client.voices.update(voiceId, { name: 'Renamed' });
    const { voices } = await client.voices.search({ category: 'cloned' });
    expect(voices.map(({ name }: Voice) => name)).toEqual(['Renamed']);
    await client.voices.settings.update(voiceId, { speed: 1.1 });
    expect((await client.voices.settings.get(voiceId)).speed).toBe(1.1);
    expect((await client.voices.getAll()).voices.length).toBeGreaterThan(5);
    expect(await client.voices.delete(voiceId)).toMatchObject({ status: 'ok' });
  });

  test('reads and deletes its history', async () => {
    await spoken();
    const { history } = await client.history.list({ pageSize: 1 });
    const id = history[0]!.historyItemId;
    expect(await client.history.get(id)).toMatchObject({ text, voiceId: rachel });
    expect((await bytesOf(await client.history.getAudio(id))).length).toBeGreaterThan(10_000);
    const alone = await bytesOf(await client.history.download({ historyItemIds: [id] }));
    expect(alone).toEqual(await bytesOf(await client.history.getAudio(id)));
    await spoken();
    const two = (await client.history.list({ pageSize: 2 })).history.map(
      (item: { historyItemId: string }) => item.historyItemId,
    );
    const zip = Buffer.from(
      await bytesOf(await client.history.download({ historyItemIds: two, outputFormat: 'default' })),
    );
    expect([zip.subarray(0, 4).toString('latin1'), zip.includes(alone)]).toEqual(['PK\u0003\u0004', true]);
    await expect(client.history.download({ historyItemIds: ['none'] })).rejects.toMatchObject({ statusCode: 404 });
    await client.history.delete(id);
    await expect(client.history.get(id)).rejects.toMatchObject({ statusCode: 404 });
  });

  test('finds voices and history by the vendor’s ids and filters', async () => {
    await spoken();
    expect(await client.voices.get(rachel)).toMatchObject({ voiceId: rachel, name: 'Rachel' });
    const { voices } = await client.voices.search({ voiceIds: [rachel, 'echo'] });
    expect(voices.map(({ voiceId }: Voice) => voiceId).toSorted()).toEqual([rachel, 'echo']);
    const found = await client.voices.search({
      language: ['en'],
      useCases: ['narrative_story'],
      search: 'storyteller',
    });
    expect(found.voices.map(({ name }: Voice) => name)).toEqual(['Fable']);
    const { history } = await client.history.list({ modelId: 'eleven_multilingual_v2' });
    expect(history.length).toBeGreaterThan(0);
    expect((await client.history.list({ modelId: 'eleven_multilingual_sts_v2', pageSize: 1 })).history).not.toEqual(
      history,
    );
  });

  test('gets errors that name unsupported parameters', async () => {
    await expect(client.textToSpeech.convert(rachel, { text, languageCode: 'de' })).rejects.toMatchObject({
      statusCode: 422,
      body: { error: { code: 'unsupported_parameter' }, detail: [{ loc: ['body', 'language_code'] }] },
    });
  });

  test('lists models and reads its user', async () => {
    expect((await client.models.list()).map(({ modelId }: { modelId: string }) => modelId)).toContain(
      'ledgerline-speech',
    );
    expect((await client.user.get()).subscription.tier).toBe('prepaid');
  });

  test("gets errors in the vendor's form", async () => {
    await expect(client.textToSpeech.convert('nobody', { text })).rejects.toMatchObject({
      statusCode: 404,
      body: { error: { code: 'voice_not_found' }, detail: { status: 'voice_not_found' } },
    });
    await expect(clientOf(stage.keys.broke).textToSpeech.convert(rachel, { text })).rejects.toMatchObject({
      statusCode: 402,
      body: { error: { code: 'insufficient_balance' } },
    });
  });
});
