import { expect, test } from '@jest/globals';
import { createTemporal } from '../../../api/temporal/temporal.ts';

// The code of a refused connection; a call retried until its deadline ends with DEADLINE_EXCEEDED.
const UNAVAILABLE = 14;
// Port 1 is closed: every attempt fails, and the library retries until the call's deadline.
const away = { address: '127.0.0.1:1', namespace: 'default' };

test('closing waits for calls that are being retried, whose next attempt would end the process', async () => {
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

test('a shutdown retries nothing, so it does not wait for a Temporal that is away', async () => {
  const temporal = createTemporal(away);
  const call = temporal.call(({ workflowService }) => workflowService.getSystemInfo({}));
  temporal.stopRetries();
  await expect(call).rejects.toMatchObject({ code: UNAVAILABLE });
  await temporal.close();
});

test('an unopened connection closes at once, and one without any answer is away', async () => {
  const temporal = createTemporal(away);
  expect(await temporal.state()).toBe('unknown');
  await expect(temporal.call(({ workflowService }) => workflowService.getSystemInfo({}))).rejects.toThrow();
  expect(await temporal.state()).toBe('away');
  await temporal.close();
  await createTemporal(away).close();
});
