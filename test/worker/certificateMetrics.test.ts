import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificateGauges } from '../../worker/certificateMetrics.ts';
import { makeCertificate } from '../support/certificate.ts';

const DAY_S = 86_400;

test('the expiry and the lifetime of the certificate at an address are known, trusted or not', async () => {
  const server = createServer(makeCertificate({ validMs: 9 * DAY_S * 1000 }), (_, response) => response.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [expiry, lifetime] = await Promise.all(certificateGauges(`https://${host}`).map(async ({ read }) => read()));
  server.close();
  expect(expiry![0]!.labels).toEqual({ host });
  expect(Math.ceil((expiry![0]!.value - Date.now() / 1000) / DAY_S)).toBe(9);
  // It began a day ago.
  expect(Math.round(lifetime![0]!.value / DAY_S)).toBe(10);
});

test('an address that does not answer has no figure, and none is asked for without one', async () => {
  const [expiry] = certificateGauges('https://127.0.0.1:1');
  await expect(async () => expiry!.read()).rejects.toThrow('ECONNREFUSED');
  expect(certificateGauges(undefined)).toEqual([]);
});
