import { expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { testWhen } from '../../support/needs.ts';

testWhen(platform() === 'linux', 'Linux, for /dev/full')(
  'a full disk of the machine is a 503 that asks for a retry',
  async () => {
    const thrown: unknown = await writeFile('/dev/full', 'a body').catch((error: unknown) => error);
    const { status, code, headers } = asApiError(thrown, 'req_1');
    expect({ status, code, headers }).toMatchObject({
      status: 503,
      code: 'overloaded',
      headers: { 'retry-after': expect.any(String) },
    });
  },
);

test.each(['40P01', '40001', '55P03', '57014', '57P01'])('a statement that ends with %s is a 503', (code) => {
  expect(asApiError(Object.assign(new Error('busy'), { code }), 'req_1').status).toBe(503);
});

test('nothing at all that is thrown is a defect', () => {
  for (const thrown of [null, undefined, 'text']) expect(asApiError(thrown, 'req_1').status).toBe(500);
});

test('another error of files is a defect', () => {
  expect(asApiError(Object.assign(new Error('no such file'), { code: 'ENOENT' }), 'req_1').status).toBe(500);
});
