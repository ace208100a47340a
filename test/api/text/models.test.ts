import { afterAll, describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { presentModel } from '../../../api/text/presentModel.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { readCatalog } from '../../support/readCatalog.ts';
import { textModel } from '../../support/startApi.ts';

const catalog = readCatalog(fileURLToPath(new URL('../../../catalog.json', import.meta.url)), () => '');
const shown = (name: string) => presentModel(catalog.find(name)!);

describe('a model', () => {
  test('has the members of OpenAI and of OpenRouter', () => {
    expect(shown('smollm2-135m-instruct')).toEqual({
      id: 'smollm2-135m-instruct',
      object: 'model',
      created: 1761955200,
      owned_by: 'ledgerline',
      name: 'SmolLM2 135M Instruct',
      description: expect.stringMatching(/\.$/),
      kind: 'text',
      aliases: ['ledgerline-text'],
      context_length: 4096,
      max_output_tokens: 2048,
      architecture: {
        modality: 'text->text',
        input_modalities: ['text'],
        output_modalities: ['text'],
        tokenizer: 'SmolLM2',
      },
      pricing: {
        prompt: '0.0000003',
        completion: '0.0000025',
        request: '0',
        input_cache_read: '0.0000003',
        input_cache_write: '0.0000003',
        batch: { prompt: '0.00000015', completion: '0.00000125' },
      },
      supported_parameters: expect.arrayContaining(['temperature', 'tools', 'response_format']),
    });
  });

  test.each([
    ['smollm2-135m-embedding', { prompt: '0.00000002' }, 'text->embeddings'],
    ['gpt-4o-mini-tts', { input_character: '0.000015' }, 'text->audio'],
    ['whisper-1', { audio_minute: '0.006' }, 'audio->text'],
    ['ledgerline-voice-conversion', { audio_second: '0.002' }, 'audio->audio'],
  ])('%s shows its price per unit', (name, pricing, modality) => {
    expect(shown(name)).toMatchObject({ pricing, architecture: { modality } });
  });

  test('with images and audio as input lists them, and uses its id when the catalogue has no name', () => {
    const model = { ...catalog.find('ledgerline-text')!, inputMediaTypes: ['image/png', 'image/jpeg', 'audio/wav'] };
    const { architecture, name } = presentModel({ ...model, id: 'acme/big-one', name: undefined });
    expect(architecture).toMatchObject({ modality: 'text+image+audio->text' });
    expect(name).toBe('Acme Big One');
  });
});

const stage = await setGuardStage();
const { secret } = await stage.account();
afterAll(() => stage.close());

describe('over HTTP', () => {
  const get = async (path: string) => {
    const response = await stage.ask(path, { headers: { authorization: `Bearer ${secret}` } });
    return (await response.json()) as { data: { id: string }[] } & Record<string, unknown>;
  };

  test("the list has the same objects as each model's own route", async () => {
    const { data } = await get('/v1/models');
    expect(data.find(({ id }) => id === textModel)).toEqual(await get(`/v1/models/${textModel}`));
  });

  test.each([
    ['/v1/chat/completions', 'whisper-1', 'POST /v1/audio/transcriptions'],
    ['/v1/audio/speech', textModel, 'POST /v1/chat/completions'],
    ['/v1/chat/completions', 'tts-1', 'POST /v1/audio/speech'],
  ])('%s with the model %s is refused with a message that names %s', async (path, model, route) => {
    const body = { model, messages: [{ role: 'user', content: 'Hello' }], input: 'Hello', voice: 'alloy' };
    const response = await stage.ask(path, {
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { code: 'model_not_found', param: 'model', message: expect.stringContaining(route) },
    });
  });
});
