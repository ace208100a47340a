import { expect, test } from '@jest/globals';
import { csvTextOf } from '../../../api/http/csvList.ts';

test('lines end as RFC 4180 says, names cannot be formulas, and amounts keep their minus', async () => {
  const text = await csvTextOf([
    ['name', 'amount_usd'],
    ['=1+1', -1_500_000_000n],
    ['-2', 3],
    ['a\nb', null],
  ]);
  expect(text).toBe('name,amount_usd\r\n\'=1+1,-1.5\r\n\'-2,3\r\n"a\nb",\r\n');
});
