import { expect, test } from '@jest/globals';
import { lineOf } from '../../activities/batch/readLines.ts';
import { checkLines, type FileCheck } from '../../console/src/batches/checkLines.ts';

const ENDPOINT = '/v1/chat/completions';
const body = { model: 'small', messages: [{ role: 'user', content: 'Hello' }] };
const call = { custom_id: 'a', method: 'POST', url: ENDPOINT, body };

const check = (text: string | Uint8Array<ArrayBuffer>): Promise<FileCheck> => checkLines(new Blob([text]));
const paramsOf = ({ errors }: FileCheck) => errors.map(({ line, param }) => [line, param]);

test('a file of calls has its endpoint, its models and no errors', async () => {
  const lines = [call, { ...call, custom_id: 'b', url: `/textapi${ENDPOINT}` }].map((line) => JSON.stringify(line));
  const other = JSON.stringify({ ...call, custom_id: 'c', body: { ...body, model: 'large' } });
  const found = await check(`\uFEFF${lines[0]}\r\n\n${lines[1]}\n${other}\n`);
  expect(found).toEqual({
    lines: 3,
    endpoint: ENDPOINT,
    models: new Map([
      ['small', 2],
      ['large', 1],
    ]),
    errors: [],
  });
});

// Each of them as the only call of its file, after a valid one.
const LINES: [name: string, line: string][] = [
  ['valid', JSON.stringify({ ...call, custom_id: 'b' })],
  ['no JSON', '{"custom_id": "b"'],
  ['an array', '[]'],
  ['a text', '"b"'],
  ['no custom_id', JSON.stringify({ ...call, custom_id: undefined })],
  ['custom_id null', JSON.stringify({ ...call, custom_id: null })],
  ['custom_id empty', JSON.stringify({ ...call, custom_id: '' })],
  ['custom_id a number', JSON.stringify({ ...call, custom_id: 7 })],
  ['custom_id as long as can be', JSON.stringify({ ...call, custom_id: 'x'.repeat(512) })],
  ['custom_id too long', JSON.stringify({ ...call, custom_id: 'x'.repeat(513) })],
  ['no method', JSON.stringify({ ...call, method: undefined })],
  ['another method', JSON.stringify({ ...call, method: 'post' })],
  ['no url', JSON.stringify({ ...call, url: undefined })],
  ['another url', JSON.stringify({ ...call, url: '/v1/embeddings' })],
  ['the url with the prefix', JSON.stringify({ ...call, custom_id: 'b', url: `/textapi${ENDPOINT}` })],
  ['no body', JSON.stringify({ ...call, body: undefined })],
  ['body a text', JSON.stringify({ ...call, body: 'Hello' })],
  ['body a list', JSON.stringify({ ...call, body: [] })],
  ['no model', JSON.stringify({ ...call, body: {} })],
  ['model empty', JSON.stringify({ ...call, body: { model: '' } })],
  ['model too long', JSON.stringify({ ...call, body: { model: 'x'.repeat(257) } })],
];

test.each(LINES)(
  'a line is refused here exactly when the service refuses it, by the same parameter: %s',
  async (_, line) => {
    const ofService = lineOf(Buffer.from(line), ENDPOINT);
    const expected = 'code' in ofService ? [[2, ofService.param]] : [];
    expect(paramsOf(await check(`${JSON.stringify(call)}\n${line}`))).toEqual(expected);
  },
);

test('a repeated custom_id names its line and the first one', async () => {
  const found = await check(`${JSON.stringify(call)}\n\n${JSON.stringify(call)}`);
  expect(found.errors).toEqual([{ line: 3, message: 'Line 1 has the same custom_id.', param: 'custom_id' }]);
});

test('a url that no batch can call is refused in its first line', async () => {
  const found = await check(JSON.stringify({ ...call, url: '/v1/audio/speech' }));
  expect(found.endpoint).toBeUndefined();
  expect(paramsOf(found)).toEqual([[1, 'url']]);
});

test('an empty file, one of blank lines, and one that is no text are refused as a whole', async () => {
  for (const text of ['', '\n \r\n'])
    expect((await check(text)).errors).toEqual([{ line: null, message: 'The file is empty.', param: null }]);
  expect(paramsOf(await check(new Uint8Array([0x50, 0x4b, 0xff, 0xfe])))).toEqual([[null, null]]);
});

test('more than 50,000 lines are refused, and 100 errors end the check', async () => {
  const many = Array.from(
    { length: 50_001 },
    (_, at) => `{"custom_id":"${at}","method":"POST","url":"${ENDPOINT}","body":{"model":"m"}}`,
  );
  expect(paramsOf(await check(many.slice(1).join('\n')))).toEqual([]);
  expect(paramsOf(await check(many.join('\n')))).toEqual([[null, null]]);
  expect((await check('no\n'.repeat(500))).errors).toHaveLength(100);
});
