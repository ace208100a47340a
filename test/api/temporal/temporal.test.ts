import { expect, test } from '@jest/globals';
import { createTemporal } from '../../../api/temporal/temporal.ts';

// Port 1 is closed: every attempt fails, and the library retries until the call's deadline.
const away = { address: '127.0.0.1:1', namespace: 'default' };

test('a connection closes after the calls that are retried on it, whose next attempt would end the process', async () => {
  const temporal = createTemporal(away);
  const ended: string[] = [];
  for (const name of ['first', 'second']) {
    void temporal
      .call(({ workflowService }) => workflowService.getSystemInfo({}))
      .catch(() => undefined)
      .then(() => ended.push(name));
  }
  await temporal.close();
  expect(ended.toSorted()).toEqual(['first', 'second']);
});

test('a connection that was never opened closes at once, and one that answered nothing is away', async () => {
  const temporal = createTemporal(away);
  expect(await temporal.state()).toBe('unknown');
  await expect(temporal.call(({ workflowService }) => workflowService.getSystemInfo({}))).rejects.toThrow();
  expect(await temporal.state()).toBe('away');
  await temporal.close();
  await createTemporal(away).close();
});
