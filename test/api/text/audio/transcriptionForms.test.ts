import { afterAll, describe, expect, test } from '@jest/globals';
import { read } from '../../../support/http.ts';
import { setGuardStage } from '../../../support/guardStage.ts';

const stage = await setGuardStage();
const { secret } = await stage.account({ creditUsd: '10' });
afterAll(() => stage.close());

interface Refusal {
  error: { code: string; param: string | null };
  detail: { loc: string[]; msg: string; type: string }[];
}

const paths = ['/v1/audio/transcriptions', '/textapi/v1/audio/translations', '/voiceapi/v1/speech-to-text'];

function send(path: string, body?: FormData | string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(stage.api.url + path, { method: 'POST', body, headers: { 'x-api-key': secret, ...headers } });
}

const isForm = 'multipart/form-data; boundary=edge';
const part = (disposition: string, content: string) =>
  `--edge\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

describe.each(paths)('%s', (path) => {
  test('answers 422 that names the missing file', async () => {
    const form = new FormData();
    form.set('model', 'whisper-1');
    form.set('model_id', 'scribe_v1');
    const { error, detail } = await read<Refusal>(await send(path, form), 422);
    expect(error).toMatchObject({ code: 'validation_error' });
    expect(detail).toEqual([{ loc: ['body', 'file'], msg: expect.any(String), type: 'missing' }]);
  });

  test.each([
    ['that is cut off', part('name="model"', 'whisper-1'), isForm],
    ['that is not a form', 'nonsense', isForm],
    ['without a boundary', 'nonsense', 'multipart/form-data'],
    ['with a field twice', `${part('name="a"', '1')}${part('name="a"', '2')}--edge--\r\n`, isForm],
    ['that is JSON', '{"model":"whisper-1"}', 'application/json'],
  ])('answers 422 for a body %s', async (_, body, type) => {
    const { error, detail } = await read<Refusal>(await send(path, body, { 'content-type': type }), 422);
    expect(error).toMatchObject({ code: 'validation_error' });
    expect(detail).toEqual([
      { loc: expect.arrayContaining(['body']), msg: expect.any(String), type: expect.any(String) },
    ]);
  });

  test('answers 422 without a body', async () => {
    expect((await read<Refusal>(await send(path), 422)).error.code).toBe('validation_error');
  });
});

describe.each(paths.slice(0, 2))('the fields of %s', (path) => {
  const form = (fields: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ model: 'whisper-1', ...fields })) if (value) body.set(name, value);
    body.set('file', new Blob([new Uint8Array(8)]), 'speech.wav');
    return send(path, body);
  };

  test.each<[string, Record<string, string>, string]>([
    ['model', { model: '' }, 'missing_required_parameter'],
    ['temperature', { temperature: 'warm' }, 'invalid_type'],
    ['temperature', { temperature: '7' }, 'decimal_above_max_value'],
    ['prompt', { prompt: 'x'.repeat(10_001) }, 'string_above_max_length'],
    ['timestamp_granularities[]', { 'timestamp_granularities[]': 'word' }, 'invalid_value'],
    ['include[]', { 'include[]': 'logprobs', response_format: 'verbose_json' }, 'invalid_value'],
    ['include[]', { 'include[]': 'logprobs', response_format: 'text' }, 'invalid_value'],
  ])('are validated: 422 names %s in %j', async (param, fields, type) => {
    const { error, detail } = await read<Refusal>(form(fields), 422);
    expect(error).toMatchObject({ code: 'validation_error', param });
    expect(detail).toEqual([{ loc: ['body', param], msg: expect.any(String), type }]);
  });

  test.each([
    ['response_format', 'xml', 'invalid_value'],
    ['diarize', 'true', 'unsupported_parameter'],
  ])('are refused with 400 for what the service does not offer: %s %s', async (param, value, code) => {
    const { error } = await read<Refusal>(form({ [param]: value }), 400);
    expect(error).toMatchObject({ code, param });
  });

  test('may say that speakers are not told apart', async () => {
    // The field is accepted: the error is about the next one.
    const { error } = await read<Refusal>(form({ diarize: 'False', temperature: '7' }), 422);
    expect(error.param).toBe('temperature');
  });
});
