import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { read } from '../../../support/http.ts';
import { setGuardStage, type GuardStage } from '../../../support/guardStage.ts';

let stage: GuardStage;
let secret: string;
beforeAll(async () => {
  stage = await setGuardStage();
  ({ secret } = await stage.account({ creditUsd: '10' }));
});
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
