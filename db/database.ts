import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createKeys, type Keys } from './keys.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createNotices, type Notices } from './postgres/notices.ts';
import { createLazyOrm, type LazyOrm } from './postgres/lazyOrm.ts';
import { oneAtATime } from '../base/waiting.ts';
import { refusePrivileges } from './postgres/login.ts';
import { startTimeoutMsOf, answers, openPool } from './postgres/pool.ts';
import type { Queryable } from './postgres/queryable.ts';
import { createRows, type RowsOfAll } from './postgres/rows.ts';
import { createResponseItems, type ResponseItems } from './responseItems.ts';
import { createRunFollows, type RunFollows } from './runs/events/followRuns.ts';

const SYSTEM_ROLE = 'ledgerline_system';
// The ledger's statements look up rows by key, from arrays. A custom plan is made again for each array, and a plan made while a table was small
// scans the table for as long as it is cached: so plans are generic and use indexes.
const PLANNING =
  '-c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
const LIMITS = '-c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000';
// Independent of the server's setting: an answer is given once its bill is on disk.
const SESSION = `-c role=${SYSTEM_ROLE} ${LIMITS} ${PLANNING} -c synchronous_commit=on`;
// Batches are on disk before they are posted: a posting that a crash loses is repeated from there.
const POSTING_SESSION = `${SESSION} -c synchronous_commit=off`;
const PROBE_LIMIT_MS = 1_000;

/** The database as the rest of the platform uses it. */
export interface Database extends RowsOfAll {
  orm: Pick<LazyOrm, 'preload'>;
  pool: Pool;
  ledger: Ledger;
  keys: Keys;
  notices: Notices;
  runFollows: RunFollows;
  responseItems: ResponseItems;
  /** The names of the connection pools that do not answer within a second: empty when all do. A pool that is not open yet is not asked. */
  findSilentPools(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Opens everything on one database address. `spends` is set by processes that place holds (the API): they register a lease.
 * `onError` is given every background failure. Closing settles what is open and returns what is held.
 */
export async function openDatabase({
  url,
  spends,
  reaps = false,
  journalFolder = join(tmpdir(), 'ledgerline-answers'),
  leaseMs = 20_000,
  onError,
}: {
  url: string;
  spends: boolean;
  /** Whether it ends what dead processes left, each second, beside the scheduled sweep. */
  reaps?: boolean;
  /** Folder of the files that record which answers are billed and not sent, for recovery after a kill (default: in the temporary folder). */
  journalFolder?: string;
  /** How long holds outlive a process without a heartbeat. */
  leaseMs?: number;
  onError: (error: unknown) => void;
}): Promise<Database> {
  const pool = openPool({ url, max: 10, settings: SESSION, onError });
  const writerPool = openPool({ url, max: 1, settings: SESSION, onError });
  const postingPool = openPool({ url, max: 1, settings: POSTING_SESSION, onError });
  const notices = createNotices({ url, role: SYSTEM_ROLE, onError });
  // When many calls find an account short at once, one notice is sent at a time.
  const announceScarcity = oneAtATime((accountId: string) =>
    notices.send(pool, { kind: 'scarce', accountId }).catch(onError),
  );
  const ledger = createLedger({
    pool,
    writerPool,
    postingPool,
    leaseMs,
    reaps,
    journalFolder,
    announceScarcity: (accountId) => void announceScarcity(accountId),
    onError,
  });
  notices.listen((notice) => notice.kind === 'scarce' && void ledger.freeSlices(notice.accountId));
  await notices.connect();
  await Promise.all([pool, postingPool].map((one) => firstConnection(one, startTimeoutMsOf(url))));
  void refusePrivileges(pool).catch(onError);
  if (spends) await ledger.open();
  const orm = createLazyOrm();
  const reading = openPool({ url, max: 5, settings: `-c role=${SYSTEM_ROLE} ${LIMITS}`, onError });
  const rows = createRows({ orm, pool, reading });
  const runFollows = createRunFollows({ ...rows, notices, onError });
  const responseItems = createResponseItems({ ...rows, pool, onError });
  const keys = createKeys({ pool, notices, onUse: ledger.markUsed });
  const findSilentPools = () =>
    silentOf({ main: pool, reading, settling: spends ? writerPool : undefined, posting: postingPool });
  const close = async () => {
    runFollows.close();
    await responseItems.close();
    if (spends) await ledger.close();
    await notices.close();
    await Promise.all([pool, reading, writerPool, postingPool].map((one) => one.end()));
  };
  return { ...rows, orm, pool, ledger, keys, notices, runFollows, responseItems, findSilentPools, close };
}

/** Opens a pool's first connection, as often as it takes too long, within `limitMs`. */
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

/** The secret that the installation's processes sign the cursors of lists with. 32 bytes. */
export async function readCursorSecret(pool: Queryable): Promise<Uint8Array> {
  const { rows } = await pool.query<{ value: Uint8Array }>(`select value from secrets where name = 'cursors'`);
  return rows[0]!.value;
}
