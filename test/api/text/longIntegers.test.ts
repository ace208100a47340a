import { afterAll, expect, test } from '@jest/globals';
import { parseExact } from '../../../base/json.ts';
import { chatPath, setGuardStage, type ErrorBody } from '../../support/guardStage.ts';

const stage = await setGuardStage();
const { secret } = await stage.account({ creditUsd: '10' });
afterAll(() => stage.close());

const ask = (path: string, body: string) => stage.ask(path, { headers: { 'x-api-key': secret }, body });
const begin = '{"model":"ledgerline-text-1","messages":[{"role":"user","content":"Hi","mine":[9007199254740993,1.5]}]';

test.each([
  [
    chatPath,
    `${begin},"seed":9223372036854775807,"surprise":{"id":-9007199254740993},"temperature":0.30000000000000004}`,
  ],
  [
    '/v1/completions',
    '{"model":"ledgerline-text-1","prompt":"Hi","seed":-9223372036854775808,"surprise":[12345678901234567890]}',
  ],
])('integers of 64 bits reach the upstream of %s with their digits', async (path, body) => {
  stage.upstream.reset();
  const answer = await ask(path, body);
  expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
  const [call] = stage.upstream.calls();
  for (const number of body.match(/-?\d[\d.]{15,}/g)!) expect(call!.text).toContain(number);
});

test.each([
  [`${begin},"seed":9300000000000000000}`, 'seed'],
  [`${begin},"seed":1.5}`, 'seed'],
  [`${begin},"max_tokens":9007199254740993}`, 'max_tokens'],
  [`${begin},"logit_bias":{"5":9007199254740993}}`, 'logit_bias.5'],
])('a number out of its range is refused as a number: %s', async (body, param) => {
  const answer = await ask(chatPath, body);
  const { error } = (await answer.json()) as ErrorBody;
  expect([answer.status, error.param]).toEqual([400, param]);
  expect(error.message).not.toMatch(/object/);
});

test('other JSON is read as ever', () => {
  for (const text of ['[1e300,0.1234567890123456789,-0,9007199254740991,"9007199254740993"]', '{"a":{"b":[]}}', 'null'])
    expect(parseExact(text)).toEqual(JSON.parse(text));
  expect(JSON.stringify(parseExact('{"a":[123456789012345678]}'))).toBe('{"a":[123456789012345678]}');
});
