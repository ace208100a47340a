import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createKeptAnswers, type KeptAnswers } from './answers/keptAnswers.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import { createLedger, type Ledger } from './ledger/ledger.ts';
import { RUNS_PROCESS } from './ledger/runHolds.ts';
import { traceLedger } from './ledger/tracedLedger.ts';
import { createNotices, type Notice, type Notices } from './postgres/notices.ts';
import { openBus } from './bus/bus.ts';
import { joinPool } from './postgres/heldNotices.ts';
import { createLiveCalls, type LiveCalls } from './postgres/liveCalls.ts';
import { tracing } from '../base/tracing.ts';
import { createObjectStore, type FileStore } from './objects/objectStore.ts';
import { oneAtATime } from '../base/waiting.ts';
import { refusePrivileges } from './postgres/login.ts';
import { withAddress } from './postgres/databaseErrors.ts';
import { MISSING_ARCHIVE } from './archive/missingArchive.ts';
import type { Archive } from './postgres/archive.ts';
import { type Connections, readConnectionUse } from './postgres/connectionUse.ts';
import { connectionsMaxOf, connectPools, createPools, type DatabasePlace, type Pools } from './postgres/pools.ts';
import { createRows, type RowsOfAll } from './postgres/rows.ts';
import { createSilenceWatch } from './postgres/silence.ts';
import { createPrices, type Prices } from './catalog/prices.ts';
import { createRefusals, type Refusals } from './accounting/refusals.ts';
import { createResponseItems, type ResponseItems } from './answers/responseItems.ts';
import { createRunFollows, type RunFollows } from './events/followRuns.ts';
import { createWorkspaceFollows, type WorkspaceFollows } from './eventStreams/followWorkspaces.ts';

// Posting takes milliseconds: a longer wait means that the database is down.
const READ_WAIT_MS = 3_000;

/** The database as used by the rest of the platform. */
export interface Database extends RowsOfAll {
  pool: Pool;
  ledger: Ledger;
  keys: Keys;
  notices: Notices;
  liveCalls: LiveCalls;
  runFollows: RunFollows;
  workspaceFollows: WorkspaceFollows;
  responseItems: ResponseItems;
  refusals: Refusals;
  answers: KeptAnswers;
  prices: Prices;
  connections: Connections;
  /** The connection pools that have not answered for seconds, or `ledger` once no holds could be placed for as long. */
  findFaults(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Opens everything on one database address. Processes that place holds (the API) set `spends` and get a lease. `onError` is called with
 * background failures. Closing settles open calls and returns held money.
 */
export async function openDatabase({
  busUrl,
  fileStore,
  archive = MISSING_ARCHIVE,
  spends,
  reaps = false,
  journalFolder = join(tmpdir(), `ledgerline-answers-${userInfo().uid}`),
  leaseMs = 20_000,
  readWaitMs = READ_WAIT_MS,
  keyIds,
  onError,
  ...place
}: Opening): Promise<Database> {
  const pools = createPools({ ...place, onError });
  const { pool, writerPool, postingPool, reading } = pools;
  const bus = busUrl === undefined ? undefined : await openBus(busUrl, onError);
  if (bus) for (const one of [pool, postingPool]) joinPool(one, bus);
  const notices = createNotices({ url: place.directUrl ?? place.url, bus, onError });
  const connectionsMax = connectionsMaxOf(place, { spends });
  const sent = { notices, pool, onError };
  const ledger = createLedger({
    pool,
    writerPool,
    postingPool,
    leaseMs,
    reaps,
    journalFolder,
    readWaitMs,
    needs: { connectionsMax: connectionsMax.direct, keyIds },
    announceScarcity: announcing(sent, (accountId: string) => ({ kind: 'scarce', accountId })),
    announceReader: announcing(sent, () => ({ kind: 'reader' })),
    storeAnswers: () => answers.flush(),
    onError,
  });
  const objects = fileStore && createObjectStore(fileStore);
  const rows = createRows({
    pool,
    reading,
    isPooled: place.directUrl !== undefined,
    objects,
    archive,
  });
  const asked = { notices, processId: ledger.processId, runsProcess: RUNS_PROCESS };
  const answers = createKeptAnswers({ ...asked, pool, read: rows.read, spends, onError });
  notices.listen((notice) => heed(notice, ledger));
  await Promise.all([notices.connect({ spends }), connectPools(pools, place, { spends })]).catch(async (error) => {
    await Promise.all([notices.close(), bus?.close()]);
    throw withAddress(error as Error, place);
  });
  void refusePrivileges(pool).catch(onError);
  if (spends) await ledger.open();
  const follows = createFollows({ ...rows, notices, onError });
  const responseItems = createResponseItems({ ...rows, pool, onError });
  const refusals = createRefusals({ pool, onError });
  const silence = createSilenceWatch(partsOf(pools, ledger, spends));
  const close = async () => {
    silence.close();
    for (const one of Object.values(follows)) one.close();
    await Promise.all([responseItems.close(), refusals.close(), answers.close()]);
    if (spends) await ledger.close();
    await Promise.all([notices.close(), bus?.close()]);
    await Promise.all([pool, reading, writerPool, postingPool].map((one) => one.end()));
  };
  return {
    ...rows,
    pool,
    ledger: tracing ? traceLedger(tracing, ledger) : ledger,
    keys: createKeys({ pool, notices, onUse: ledger.markUsed }),
    notices,
    liveCalls: createLiveCalls({ notices, announce: announcing(sent, () => ({ kind: 'live' })) }),
    ...follows,
    responseItems,
    refusals,
    answers,
    prices: createPrices({ pool, onError }),
    connections: { max: connectionsMax, read: () => readConnectionUse(pool, connectionsMax.direct) },
    findFaults: async () => faultsOf(await silence.find()),
    close,
  };
}

type Opening = DatabasePlace & {
  /** A Valkey or Redis server for frequent notices between processes; undefined: they go through the database. */
  busUrl?: string | undefined;
  fileStore?: FileStore | undefined;
  /** Where archived months are read; undefined: what needs them fails. */
  archive?: Archive | undefined;
  spends: boolean;
  /** Whether this process ends the calls of dead processes each second, in addition to the scheduled sweep. */
  reaps?: boolean;
  /** Where billed but unsent answers are recorded, for recovery after a kill (default: a temporary folder, for tests and benchmarks). */
  journalFolder?: string;
  /** How long holds outlive a process without a heartbeat. */
  leaseMs?: number;
  /** How long a reader waits for settlements on disk to be posted before it throws `LedgerUnavailable`. */
  readWaitMs?: number;
  /** The ids of the keys that this process holds, by their variable: the first one encrypts. */
  keyIds?: Record<string, string[]>;
  onError: (error: unknown) => void;
};

const createFollows = (parts: Parameters<typeof createRunFollows>[0]) => ({
  runFollows: createRunFollows(parts),
  workspaceFollows: createWorkspaceFollows(parts),
});

/** Sends a notice to every process. When many calls send the same at once, for one key, one notice is sent at a time. */
function announcing<Key = void>(
  { notices, pool, onError }: { notices: Notices; pool: Pool; onError: (error: unknown) => void },
  noticeOf: (key: Key) => Notice,
): (key: Key) => void {
  const send = oneAtATime((key: Key) => notices.send(pool, noticeOf(key)).catch(onError));
  return (key) => void send(key);
}

function heed(notice: Notice, ledger: Ledger): void {
  if (notice.kind === 'scarce') void ledger.freeSlices(notice.accountId);
  if (notice.kind === 'reader') ledger.hurryPosting();
}

/** The parts whose answers make a process ready: its pools, and a ledger that can place holds. */
function partsOf({ pool, reading, writerPool, postingPool }: Pools, ledger: Ledger, spends: boolean) {
  const part = (one: Pool) => () => one.query('select 1').then(() => true);
  const parts = { main: part(pool), reading: part(reading) };
  const posting = part(postingPool);
  return spends
    ? { ...parts, settling: part(writerPool), posting, ledger: async () => ledger.healthy() }
    : { ...parts, posting };
}

/** The faults of a database with these silent parts. While pools are silent no hold can be placed either. */
function faultsOf(silent: string[]): string[] {
  const pools = silent.filter((name) => name !== 'ledger');
  return pools.length > 0 ? [`database: ${pools.join(', ')}`] : silent;
}
