import { afterAll, describe, expect, test } from '@jest/globals';
import { LOST_NUMBER, parseExact } from '../../../base/json.ts';
import { faultsOfData } from '../../../base/jsonSchema.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { errorOf, read, setRunRouteStage } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

describe('an agent with an input schema', () => {
  const input_schema = {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  };
  const data = (value: unknown) => [{ type: 'input_data', data: value }];

  test('takes one object that fits, and refuses everything else by its place', async () => {
    const agent = await stage.publish({ input_schema });
    const { secret: key } = await stage.account();
    const fitting = await read<RunObject>(await stage.post({ agent, input: data({ city: 'Ulm' }) }, { key }), 202);
    expect(fitting.input).toEqual(data({ city: 'Ulm' }));
    const placeOf = async (input: unknown) => errorOf(await stage.post({ agent, input }, { key }));
    const status = 422;
    expect(await placeOf(data({ city: 'Ulm', days: 0 }))).toEqual({
      status,
      code: 'validation_error',
      param: 'input.0.data.days',
    });
    expect(await placeOf(data({}))).toMatchObject({ status, param: 'input.0.data.city' });
    expect(await placeOf('Ulm')).toEqual({ status, code: 'unsupported_input', param: 'input' });
    const texts = [{ type: 'input_text', text: 'Ulm' }];
    expect(await placeOf([...texts, ...data({ city: 'Ulm' })])).toMatchObject({ status, param: 'input.0' });
  });

  test('gets each number with all its digits: what a number cannot hold is refused by its place', async () => {
    const agent = await stage.publish({ input_schema: { type: 'object', properties: { id: { type: 'number' } } } });
    const { secret: key } = await stage.account();
    const order = (id: string) =>
      JSON.stringify({ agent, input: data({ id: 0 }), state: { n: 1 } }).replace('"id":0', `"id":${id}`);
    const ask = (body: string, path = '/v1/runs') => stage.call(path, { body, key });
    const refused = { status: 422, code: 'validation_error' };
    for (const id of ['9007199254740993', '-12345678901234567890', '1234567890123456789012345678901234567890', '1e400'])
      expect(await errorOf(await ask(order(id)))).toEqual({ ...refused, param: 'input.0.data.id' });
    const long = order('1').replace('"n":1', '"n":9007199254740993');
    expect(await errorOf(await ask(long))).toEqual({ ...refused, param: 'state.n' });
    for (const id of ['9007199254740992', '18014398509481984', '6.02214076e23', '0.1234567890123456789'])
      expect(await read(await ask(order(id), '/v1/runs/quote'), 200)).toMatchObject({ object: 'run.quote' });
    // As A2A, MCP and chats read it.
    const exact = parseExact('{"id":9007199254740993}');
    const schema = { type: 'object', properties: { id: { type: 'number' } } };
    expect(faultsOfData(schema, exact)).toEqual([{ path: ['id'], message: LOST_NUMBER }]);
  });

  test('is not what other agents have: they refuse data, and a response_format', async () => {
    const response_format = { type: 'json_schema', json_schema: { schema: input_schema } };
    expect(await errorOf(await stage.post({ input: data({}) }))).toMatchObject({
      code: 'unsupported_input',
      param: 'input.0',
    });
    expect(await errorOf(await stage.post({ response_format }))).toMatchObject({
      code: 'unsupported_input',
      param: 'response_format',
    });
    const agent = await stage.publish({ accepts_response_format: true });
    const { secret: key } = await stage.account();
    const run = await read<RunObject>(await stage.post({ agent, response_format }, { key }), 202);
    expect(run.response_format).toMatchObject({ json_schema: { name: 'output', schema: input_schema } });
  });
});
