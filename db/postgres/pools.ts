import type { Pool } from 'pg';
import { firstConnection, openPool, startTimeoutMsOf } from './pool.ts';
import { OPTIONS, requireStoredSettings } from './session.ts';

/** The address of the database, and how many connections one process opens. */
export interface DatabasePlace {
  /** The database, or a pooler in transaction mode before it. */
  url: string;
  /** The database itself, where `url` is a pooler; undefined: `url` is the database. */
  directUrl?: string | undefined;
  /** Connections for transactions and single statements, and for what workspaces read; undefined: the usual numbers. */
  mainMax?: number | undefined;
  readingMax?: number | undefined;
}

const MAIN_MAX = 10;
const READING_MAX = 5;
// Postings, with the renewal of the lease, and LISTEN.
const OWN_SESSIONS = 2;
const WRITER = 1;

/** The most connections that a process opens: to the pooler, and to the database itself. */
export interface ConnectionsMax {
  pooled: number;
  direct: number;
}

export function connectionsMaxOf(
  { directUrl, mainMax = MAIN_MAX, readingMax = READING_MAX }: Omit<DatabasePlace, 'url'>,
  { spends }: { spends: boolean },
): ConnectionsMax {
  const shared = mainMax + readingMax + (spends ? WRITER : 0);
  return directUrl === undefined
    ? { pooled: 0, direct: shared + OWN_SESSIONS }
    : { pooled: shared, direct: OWN_SESSIONS };
}

export type Pools = ReturnType<typeof createPools>;

/**
 * The pools of a process. Behind a pooler only short transactions share its connections: the lease is renewed over one to the database
 * itself, because a closed one shows that its process has died.
 */
export function createPools({
  url,
  directUrl,
  mainMax: max = MAIN_MAX,
  readingMax = READING_MAX,
  onError,
}: DatabasePlace & { onError: (error: unknown) => void }) {
  const isPooled = directUrl !== undefined;
  const shared = (of: 'main' | 'reading') => ({ url, settings: isPooled ? undefined : OPTIONS[of], onError });
  return {
    pool: openPool({ ...shared('main'), max, pipeline: true }),
    writerPool: openPool({ ...shared('main'), max: 1 }),
    postingPool: openPool({ url: directUrl ?? url, max: 1, settings: OPTIONS.posting, onError }),
    reading: openPool({ ...shared('reading'), max: readingMax }),
  };
}

/** Opens the first connections of the pools that a process needs at once. */
export async function connectPools(
  { pool, writerPool, postingPool }: Pools,
  { url, directUrl }: DatabasePlace,
  { spends }: { spends: boolean },
): Promise<void> {
  const opened = [pool, postingPool, ...(spends ? [writerPool] : [])];
  await Promise.all(opened.map((one: Pool) => firstConnection(one, startTimeoutMsOf(url))));
  if (directUrl !== undefined) await requireStoredSettings(pool);
}
