import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createKeptAnswers, type KeptAnswers } from './answers/keptAnswers.ts';
import { createKeys, type Keys } from './keys/keys.ts';
import { createLedger, type Ledger } from './ledger/ledger.ts';
import { RUNS_PROCESS } from './ledger/runHolds.ts';
import { traceLedger } from './ledger/tracedLedger.ts';
import { createNotices, type Notice, type Notices } from './postgres/notices.ts';
import { createLiveCalls, type LiveCalls } from './postgres/liveCalls.ts';
import { createLazyOrm } from './postgres/lazyOrm.ts';
import { tracing } from '../base/tracing.ts';
import { createObjectStore, type FileStore } from './objects/objectStore.ts';
import { oneAtATime } from '../base/waiting.ts';
import { refusePrivileges } from './postgres/login.ts';
import { startTimeoutMsOf, answers, openPool } from './postgres/pool.ts';
import type { Queryable } from './postgres/queryable.ts';
import { createRows, type RowsOfAll } from './postgres/rows.ts';
import { createPrices, type Prices } from './catalog/prices.ts';
import { createRefusals, type Refusals } from './accounting/refusals.ts';
import { createResponseItems, type ResponseItems } from './answers/responseItems.ts';
import { createRunFollows, type RunFollows } from './events/followRuns.ts';
import { createWorkspaceFollows, type WorkspaceFollows } from './eventStreams/followWorkspaces.ts';

const SYSTEM_ROLE = 'ledgerline_system';
// The ledger's statements look up rows by key, from arrays. A custom plan would be made again for each array, and a plan made while a table
// was small scans the table for as long as it is cached: so plans are generic and use indexes.
const PLANNING =
  '-c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
// A machine cut off in a transaction keeps its locks until then: for less time than others' statements wait for them.
const LIMITS = '-c statement_timeout=5000 -c idle_in_transaction_session_timeout=2000';
// Overrides the server's setting: an answer is sent once its bill is on disk.
const SESSION = `-c role=${SYSTEM_ROLE} ${LIMITS} ${PLANNING} -c synchronous_commit=on`;
// Batches are on disk before they are posted, so a posting lost in a crash is repeated.
const POSTING_SESSION = `${SESSION} -c synchronous_commit=off`;
// Posting takes milliseconds: a longer wait means that the database is down.
const READ_WAIT_MS = 3_000;
const PROBE_LIMIT_MS = 1_000;

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
  /** The names of the connection pools that do not answer within a second. Skips a pool that is not open yet. */
  findSilentPools(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Opens everything on one database address. Processes that place holds (the API) set `spends` and get a lease. `onError` is called with
 * background failures. Closing settles open calls and returns held money.
 */
export async function openDatabase({
  url,
  fileStore,
  spends,
  reaps = false,
  journalFolder = join(tmpdir(), `ledgerline-answers-${userInfo().uid}`),
  leaseMs = 20_000,
  readWaitMs = READ_WAIT_MS,
  onError,
}: {
  url: string;
  fileStore?: FileStore | undefined;
  spends: boolean;
  /** Whether this process ends the calls of dead processes each second, in addition to the scheduled sweep. */
  reaps?: boolean;
  /** Where billed but unsent answers are recorded, for recovery after a kill (default: a temporary folder, for tests and benchmarks). */
  journalFolder?: string;
  /** How long holds outlive a process without a heartbeat. */
  leaseMs?: number;
  /** How long a reader waits for settlements on disk to be posted before it throws `LedgerUnavailable`. */
  readWaitMs?: number;
  onError: (error: unknown) => void;
}): Promise<Database> {
  const pool = openPool({ url, max: 10, settings: SESSION, pipeline: true, onError });
  const writerPool = openPool({ url, max: 1, settings: SESSION, onError });
  const postingPool = openPool({ url, max: 1, settings: POSTING_SESSION, onError });
  const notices = createNotices({ url, role: SYSTEM_ROLE, onError });
  const sent = { notices, pool, onError };
  const ledger = createLedger({
    pool,
    writerPool,
    postingPool,
    leaseMs,
    reaps,
    journalFolder,
    readWaitMs,
    announceScarcity: announcing(sent, (accountId: string) => ({ kind: 'scarce', accountId })),
    announceReader: announcing(sent, () => ({ kind: 'reader' })),
    storeAnswers: () => answers.flush(),
    onError,
  });
  const reading = openPool({ url, max: 5, settings: `-c role=${SYSTEM_ROLE} ${LIMITS}`, onError });
  const rows = createRows({ orm: createLazyOrm(), pool, reading, objects: fileStore && createObjectStore(fileStore) });
  const asked = { notices, processId: ledger.processId, runsProcess: RUNS_PROCESS };
  const answers = createKeptAnswers({ ...asked, pool, read: rows.read, spends, onError });
  notices.listen((notice) => heed(notice, ledger));
  const opened = [pool, postingPool, ...(spends ? [writerPool] : [])];
  await Promise.all([notices.connect(), ...opened.map((one) => firstConnection(one, startTimeoutMsOf(url)))]);
  void refusePrivileges(pool).catch(onError);
  if (spends) await ledger.open();
  const follows = createFollows({ ...rows, notices, onError });
  const responseItems = createResponseItems({ ...rows, pool, onError });
  const refusals = createRefusals({ pool, onError });
  const close = async () => {
    for (const one of Object.values(follows)) one.close();
    await Promise.all([responseItems.close(), refusals.close(), answers.close()]);
    if (spends) await ledger.close();
    await notices.close();
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
    findSilentPools: () =>
      silentOf({ main: pool, reading, settling: spends ? writerPool : undefined, posting: postingPool }),
    close,
  };
}

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

/** Opens a pool's first connection, with retries after timeouts, within `limitMs`. */
async function firstConnection(pool: Pool, limitMs: number): Promise<void> {
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    try {
      return (await pool.connect()).release();
    } catch (error) {
      if (performance.now() > deadlineMs || !/timeout/.test((error as Error).message)) throw error;
    }
  }
}

async function silentOf(pools: Record<string, Pool | undefined>): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(pools).map(async ([name, pool]) => (!pool || (await answers(pool, PROBE_LIMIT_MS)) ? [] : [name])),
  );
  return found.flat();
}

/** A secret shared by the installation's processes: `cursors` signs the cursors of lists, `accounts` cookies. 32 bytes. */
export async function readSecret(pool: Queryable, name: 'cursors' | 'accounts'): Promise<Uint8Array> {
  const { rows } = await pool.query<{ value: Uint8Array }>('select value from secrets where name = $1', [name]);
  return rows[0]!.value;
}
