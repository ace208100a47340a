import { expect, test } from '@jest/globals';
import { connectTimeoutMsOf } from '../../../db/postgres/connectTimeout.ts';

test.each([
  ['', 2_000],
  ['?connect_timeout=60', 60_000],
  ['?connect_timeout=0', 2_000],
  ['?connect_timeout=soon', 2_000],
])('a connection to an address that ends in "%s" is waited for %d ms', (end, timeoutMs) => {
  expect(connectTimeoutMsOf(`postgres://ledgerline:secret@127.0.0.1:5432/ledgerline${end}`)).toBe(timeoutMs);
});
