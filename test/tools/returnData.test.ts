import { describe, expect, test } from '@jest/globals';
import { returnData } from '../../tools/returnData.ts';
import { contextOf } from './toolStage.ts';

const call = (args: unknown) => returnData.run(args, contextOf());

describe('return_data', () => {
  test.each([{ rows: [{ name: 'Ada', sum: 3.5 }], none: null }, [1, 'two', [], {}], {}])(
    'returns %j unchanged',
    async (data) => {
      expect(await call({ data })).toMatchObject({ data, isError: false, sandboxMs: 0 });
    },
  );

  test.each([{}, { data: 'text' }, { data: 5 }, { data: null }, { data: {}, more: 1 }])('refuses %j', async (args) => {
    await expect(call(args)).rejects.toThrow("The arguments do not fit the tool's schema");
  });

  test('returns no more than its limit', async () => {
    expect(await call({ data: ['x'.repeat(262_140)] })).toMatchObject({ isError: false });
    await expect(call({ data: ['x'.repeat(262_141)] })).rejects.toThrow('262144 are the most allowed');
  });
});
