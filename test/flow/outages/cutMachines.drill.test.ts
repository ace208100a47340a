import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Machine } from '../../support/namespaces.ts';
import { describeWhen } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { expectSoundLoad, startMachineLoad, type MachineLoad } from './machineLoad.ts';
import { canBeThree, setTwoMachines, type TwoMachines } from './twoMachines.ts';

const describeWithMachines = describeWhen(canBeThree, 'root, iproute2, nftables and Valkey or Redis');

const LEASE_MS = 4_000;
// Longer than a lease and than every statement's time limit.
const APART_MS = 9_000;
const patient = { timeoutMs: 120_000, pollMs: 50 };
// The failures that clients may see: overload, or an unreachable model.
const ALLOWED = new Set([
  '0 no answer',
  '503 overloaded',
  'stream overloaded',
  '502 provider_failed',
  '504 provider_timeout',
]);
// A cut transaction keeps its locks for two seconds, which is longer than calls of the same account at the other machine may wait.
const LOCKED = new Set(['503 overloaded', 'stream overloaded']);

describeWithMachines('two machines whose network is cut', () => {
  let stage: TwoMachines;

  beforeAll(async () => {
    stage = await setTwoMachines({ env: { LEDGER_LEASE_MS: String(LEASE_MS) } });
  });
  afterAll(() => stage?.close());

  const untilServed = async (load: MachineLoad, machine: number): Promise<void> => {
    const before = load.served(machine);
    await until(() => load.served(machine) > before + 20, patient);
  };

  /** Calls and runs at both machines while the network of the first is disturbed, and after it is healed. */
  async function disturb(act: (machine: Machine) => Promise<unknown>, during = () => sleep(APART_MS)) {
    const account = await stage.account({ creditUsd: '100', scopes: ['llm', 'publisher'] });
    const load = await startMachineLoad(stage, account);
    await Promise.all([untilServed(load, 0), untilServed(load, 1)]);
    await act(stage.machines[0]);
    await Promise.all([during(), untilServed(load, 1)]);
    await stage.heal();
    await Promise.all([untilServed(load, 0), untilServed(load, 1)]);
    await load.stop();
    await expectSoundLoad(stage, account, load);
    const failures = [0, 1].map((machine) => load.failures(machine));
    console.info(JSON.stringify({ failures, calls: load.answers().length, runs: load.runs.size }));
    expect(failures.flat().filter((failure) => !ALLOWED.has(failure))).toEqual([]);
    stage.expectNoCrash();
    return load;
  }

  describe.each(['PostgreSQL', 'Temporal', 'limits', 'upstream'] as const)('from %s', (part) => {
    test.each(['sent', 'received'] as const)('where packets that are %s are dropped', async (direction) => {
      const port = part === 'upstream' ? Number(new URL(stage.upstream.url).port) : stage.ports[part];
      const load = await disturb((machine) => machine.drop({ port, direction }));
      expect(load.failures(1).filter((failure) => part !== 'PostgreSQL' || !LOCKED.has(failure))).toEqual([]);
    });
  });

  test('of which one loses its cable to all data', async () => {
    const load = await disturb((machine) => machine.unplug());
    expect(load.failures(1).filter((failure) => !LOCKED.has(failure))).toEqual([]);
  });

  test('of which one loses its cable to clients and upstreams', async () => {
    const load = await disturb((machine) => machine.unplugFront());
    expect(load.failures(1)).toEqual([]);
  });

  test('of which one is cut off from everything, and the other one ends what it left', async () => {
    const cutOff = async (machine: Machine) => {
      await machine.unplug();
      await machine.unplugFront();
    };
    const before = await stage.countReaped();
    await disturb(cutOff, async () => {
      // Its slices are returned, and its calls ended, after their lease.
      await until(async () => (await stage.countReaped()) > before, patient);
    });
  });

  test('of which one loses every tenth packet', async () => {
    await disturb((machine) => machine.lose(10));
  });
});
