/** A fault that the product must survive, and the tests that inject it and check the invariants. */
export interface Fault {
  id: string;
  name: string;
  /** The invariants that are checked afterwards. */
  holds: string[];
  /** Paths of test files. */
  tests: string[];
}

const fault = (id: string, name: string, holds: string, ...tests: string[]): Fault => ({
  id,
  name,
  holds: holds.split(' '),
  tests: tests.map((path) => `test/${path}.test.ts`),
});

/** All faults, in the order of their runbooks. */
export const faults: Fault[] = [
  fault(
    'F1',
    'an API process is killed',
    'I1 I2 I4 I5 I6 I11',
    'flow/kills/killedApi.drill',
    'flow/kills/killedUnderOneKey.drill',
    'flow/kills/killedVoice.drill',
    'flow/kills/killedSockets.drill',
    'flow/kills/resumedAfterKill.drill',
    'flow/kills/pausedApi.drill',
  ),
  fault(
    'F2',
    'a worker is killed',
    'I4 I7 I8',
    'flow/kills/killedWorker.drill',
    'flow/kills/killedInARow.drill',
    'flow/kills/frozenWorker.drill',
    'flow/kills/killedWithRunsOpen.drill',
    'flow/runs/longRun.drill',
    'flow/kills/batchKills.drill',
    'flow/kills/reviewKills.drill',
  ),
  fault(
    'F3',
    'Temporal is killed, and away',
    'I7 I8 I12',
    'flow/outages/killedTemporal.drill',
    'flow/outages/awayTemporal.drill',
  ),
  fault(
    'F4',
    'PostgreSQL is killed',
    'I1 I2 I4 I9 I12',
    'flow/outages/killedDatabase.drill',
    'flow/outages/stalledDatabase.drill',
    'flow/outages/awayDatabase.drill',
    'flow/outages/failover.drill',
  ),
  fault('F5', 'connections to PostgreSQL end', 'I1 I2 I4', 'flow/outages/killedDatabase.drill', 'api/outage.drill'),
  fault(
    'F6',
    'a network is cut, stalls or loses answers',
    'I1 I4 I7 I8 I12',
    'flow/outages/partition.drill',
    'flow/outages/twoMachines.drill',
    'flow/outages/cutMachines.drill',
    'api/stall.drill',
    'flow/kills/cutAnswers.drill',
    'api/guard/sharedLimits',
  ),
  fault('F7', 'a clock jumps', 'I3 I4 I8', 'flow/outages/steppedClock', 'flow/runs/runClock.drill'),
  fault(
    'F8',
    'a disk is full, or slow; the store of files is away',
    'I1 I4 I12',
    'flow/outages/fullDisk.drill',
    'flow/outages/slowDisk.drill',
    'flow/outages/lateBills.drill',
    'flow/outages/awayFileStore.drill',
  ),
  fault(
    'F9',
    'an upstream misbehaves',
    'I5 I6 I11',
    'flow/upstreams/brokenUpstream.drill',
    'flow/upstreams/upstreamRefusals',
    'flow/upstreams/voiceRefusals',
  ),
  fault(
    'F10',
    'clients disconnect',
    'I6',
    'flow/money/leavingClient',
    'flow/money/wholeAnswers',
    'flow/kills/cutSound',
  ),
  fault(
    'F11',
    'an account is at its last cent',
    'I1 I2 I3 I4',
    'db/ledger/lastCent.drill',
    'flow/money/lastCent.drill',
    'db/ledger/model.drill',
  ),
  fault('F12', 'clients repeat requests', 'I7', 'flow/money/repeatedRequests.drill', 'api/runs/runIdempotency'),
  fault('F13', 'a cancellation races the end', 'I4 I8', 'flow/money/cancelRaces.drill'),
  fault('F14', 'payment events come twice, late and in any order', 'I9', 'providers/payments/shuffles.drill'),
  fault(
    'F15',
    'a worker is replaced while runs are open',
    'I7 I8',
    'workflows/replay',
    'workflows/rollingDeploy.drill',
  ),
  fault('F16', 'readers of events reconnect in a storm', 'I8 I10 I11', 'flow/runs/readerStorm.drill'),
  fault(
    'F17',
    'peers of sockets die',
    'I4 I6 I11',
    'flow/outages/deadPeers.drill',
    'api/realtime/load.drill',
    'api/realtime/cuts.drill',
  ),
  fault(
    'F18',
    'hostile programs run in the sandbox',
    'I11',
    'tools/sandbox/hundred.drill',
    'tools/sandbox/hostile.drill',
  ),
  fault('F19', 'everything at once', 'I1 I2 I4 I5 I7 I8 I12', 'flow/outages/soak.drill', 'flow/kills/moneyPlay.drill'),
];
