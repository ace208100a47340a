import { Pool } from 'pg';
import { createKeys, type Keys } from './keys.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createNotices, type Notices } from './postgres/notices.ts';
import { createLazyOrm, type LazyOrm } from './postgres/lazyOrm.ts';
import { connectTimeoutMsOf, startTimeoutMsOf } from './postgres/connectTimeout.ts';
import { createRunFollows, type RunFollows } from './runs/events/followRuns.ts';

const SYSTEM_ROLE = 'ledgerline_system';
// The ledger's statements look rows up by key, from arrays. A plan made for an array's length is made anew each time, and one made while
// a table was small scans it for as long as it is cached: so plans are kept, and by index.
const PLANNING =
  '-c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
const LIMITS = '-c statement_timeout=5000 -c idle_in_transaction_session_timeout=10000';
// What is posted is on disk already: a posting that a crash forgets is made again from there.
const POSTING = '-c synchronous_commit=off';
const SESSION = `-c role=${SYSTEM_ROLE} ${LIMITS} ${PLANNING}`;

/** The database as the rest of the platform uses it. */
export interface Database {
  orm: LazyOrm;
  pool: Pool;
  ledger: Ledger;
  keys: Keys;
  notices: Notices;
  runFollows: RunFollows;
  close(): Promise<void>;
}

/**
 * Opens everything on one database address. `spends` is set by processes that place holds (the API): they register a lease.
 * `onError` hears of every background failure. Closing settles what is open and returns what is held.
 */
export async function openDatabase({
  url,
  spends,
  leaseMs = 20_000,
  onError,
}: {
  url: string;
  spends: boolean;
  /** How long holds outlive a process that gives no sign of life. */
  leaseMs?: number;
  onError: (error: unknown) => void;
}): Promise<Database> {
  const pool = openPool(url, 10, onError);
  const writerPool = openPool(url, 1, onError);
  const postingPool = openPool(url, 1, onError, POSTING);
  const notices = createNotices({ url, role: SYSTEM_ROLE, onError });
  const ledger = createLedger({
    pool,
    writerPool,
    postingPool,
    leaseMs,
    announceScarcity: (accountId) => void notices.send(pool, { kind: 'scarce', accountId }).catch(onError),
    onError,
  });
  notices.listen((notice) => notice.kind === 'scarce' && void ledger.freeSlices(notice.accountId));
  await notices.connect();
  await Promise.all([pool, postingPool].map((one) => firstConnection(one, startTimeoutMsOf(url))));
  if (spends) await ledger.open();
  const orm = createLazyOrm({ url, role: SYSTEM_ROLE });
  const runFollows = createRunFollows({ orm, pool, notices, onError });
  const keys = createKeys({ pool, notices, onUse: ledger.markUsed });
  const close = async () => {
    runFollows.close();
    if (spends) await ledger.close();
    await notices.close();
    await Promise.all([orm.close(), pool.end(), writerPool.end(), postingPool.end()]);
  };
  return { orm, pool, ledger, keys, notices, runFollows, close };
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

function openPool(url: string, max: number, onError: (error: unknown) => void, more = ''): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    options: `${SESSION} ${more}`,
    connectionTimeoutMillis: connectTimeoutMsOf(url),
    query_timeout: 6_000,
    idleTimeoutMillis: 0,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced by the pool; unheard, its error would end the process. The connection itself, which the
  // pool hangs on the error, has no place in a log.
  pool.on('error', (error) => {
    Reflect.deleteProperty(error, 'client');
    onError(error);
  });
  // Nor may one that breaks between two statements of a transaction end the process: the next statement fails, which tells of it.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
