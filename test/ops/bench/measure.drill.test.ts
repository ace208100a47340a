import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createInstallation, type Installation } from '../../../ops/bench/installation.ts';
import { measureKilled } from '../../../ops/bench/killed.ts';
import { measureLedger } from '../../../ops/bench/ledger.ts';
import { chatRequest } from '../../../ops/bench/load.ts';
import { measurePoint, TARGET_NAMES, withTargets } from '../../../ops/bench/point.ts';
import { measureRuns } from '../../../ops/bench/runs/runs.ts';

const short = { rounds: 1, roundMs: 300, warmUpMs: 300 };
let installation: Installation;

// Each starts several servers.
jest.setTimeout(900_000);

beforeAll(async () => {
  installation = await createInstallation();
});

afterAll(() => installation.close());

test('answers one load on every server without an error, whole and streamed', async () => {
  await withTargets(installation, 0, async (targets) => {
    for (const stream of [false, true]) {
      const request = chatRequest({ key: installation.secret, stream });
      const point = await measurePoint(targets, { request, connections: 4 }, short);
      for (const name of TARGET_NAMES) {
        const [sample] = point[name];
        expect({ name, errors: sample!.errors }).toEqual({ name, errors: 0 });
        expect(sample!.requestsPerSecond).toBeGreaterThan(0);
        expect(sample!.eventsPerSecond > 0).toBe(stream);
      }
    }
  });
});

describe('the ledger', () => {
  test('settles for every kind of waiter', async () => {
    const rates = await measureLedger(installation, { ...short, accounts: 3 });
    for (const [rate] of Object.values(rates)) expect(rate!.perSecond).toBeGreaterThan(0);
  });

  test('contains every answer of a killed server, and no hold after the sweep', async () => {
    const request = chatRequest({ key: installation.secret, stream: false });
    const { answered, lost, holdsLeftAfterSweep } = await measureKilled(installation, request, 3_000);
    expect(answered).toBeGreaterThan(0);
    expect({ lost, holdsLeftAfterSweep }).toEqual({ lost: 0, holdsLeftAfterSweep: 0 });
  });
});

test('runs are accepted, end, and reach every reader, beside bare workflows', async () => {
  const plan = { rounds: 1, callsAlone: 1, runsTogether: 3, inFlight: 2, readers: 3, readersMs: 50 };
  const { accepted, alone, together, delivered } = await measureRuns(installation, plan, () => {});
  for (const [compared] of [accepted, alone, together]) {
    expect(Math.min(...compared!.ours, ...compared!.bare)).toBeGreaterThan(0);
  }
  expect(together[0]!.ours).toHaveLength(plan.runsTogether);
  expect(delivered[0]!.written).toBeGreaterThan(0);
});
