import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { installRuntime } from '../../worker/runtime.ts';
import { ensureSweepSchedule } from '../../worker/schedule.ts';
import { createWorker } from '../../worker/worker.ts';
import { sweepScheduleId } from '../../workflows/contract.ts';
import { type TestTemporal, startTestTemporal } from '../support/temporal.ts';

installRuntime(pino({ level: 'silent' }));

const reaped = { processesReaped: 1, requestsSettled: 2, holdsReleased: 3 };
let temporal: TestTemporal | undefined;
let connection: Connection | undefined;
let client: Client;

// The server may have to be obtained first.
beforeAll(async () => {
  temporal = await startTestTemporal();
  connection = await Connection.connect({ address: temporal.address });
  client = new Client({ connection, namespace: temporal.namespace });
}, 600_000);

afterAll(async () => {
  await connection?.close();
  await temporal?.stop();
});

test('a worker sweeps the ledger by itself, without anybody asking', async () => {
  let reaps = 0;
  const reap = async (): Promise<typeof reaped> => {
    reaps += 1;
    return reaped;
  };
  const worker = await createWorker({
    ledger: { reap },
    temporalAddress: temporal!.address,
    temporalNamespace: temporal!.namespace,
    logger: pino({ level: 'silent' }),
  });
  const running = worker.run();
  const result = await resultOfFirstSweep();
  worker.stop();
  await running;
  expect(result).toEqual(reaped);
  expect(reaps).toBeGreaterThan(0);
});

test('setting the schedule up again changes the one schedule and makes no second', async () => {
  await ensureSweepSchedule(client);
  await ensureSweepSchedule(client);
  const ids: string[] = [];
  for await (const schedule of client.schedule.list()) ids.push(schedule.scheduleId);
  expect(ids).toEqual([sweepScheduleId]);
  const { spec, policies } = await client.schedule.getHandle(sweepScheduleId).describe();
  expect(spec.intervals).toMatchObject([{ every: 10_000 }]);
  expect(policies.overlap).toBe('SKIP');
});

async function resultOfFirstSweep(): Promise<unknown> {
  const deadline = Date.now() + 40_000;
  while (Date.now() < deadline) {
    const { info } = await client.schedule.getHandle(sweepScheduleId).describe();
    const action = info.recentActions[0]?.action;
    if (action) return client.workflow.getHandle(action.workflow.workflowId).result();
    await sleep(100);
  }
  throw new Error('no sweep ran');
}
