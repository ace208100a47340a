import { expect, test } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { answerComplaint, freePort } from '../../../stack/process/port.ts';

test('answerComplaint is undefined where a server listens, and a reason elsewhere', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await expect(answerComplaint(`127.0.0.1:${(server.address() as AddressInfo).port}`)).resolves.toBeUndefined();
  } finally {
    server.close();
  }
  await expect(answerComplaint(`127.0.0.1:${await freePort()}`)).resolves.toContain('ECONNREFUSED');
  await expect(answerComplaint('no-such-host.invalid:7233')).resolves.toContain('ENOTFOUND');
});
