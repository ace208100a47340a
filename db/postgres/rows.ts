import { escapeLiteral, type Pool, type PoolClient, TypeOverrides } from 'pg';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Archive } from './archive.ts';
import type { ObjectStore } from '../objects/objectStore.ts';
import { isRefusedByData } from './databaseErrors.ts';
import { openOrm, type Opened, type Tables } from './lazyOrm.ts';
import { LedgerUnavailable } from './ledgerUnavailable.ts';
import type { Queryable } from './queryable.ts';
import { PLAN_AS_READER } from './session.ts';
import { shareConnections, type Share } from './shares.ts';
import { inTransaction } from './transaction.ts';

/**
 * The rows of one workspace (of all, when it is undefined), for reading or writing. Functions of `db/` take one of these. With a
 * transaction's rows they join it.
 */
export interface Rows<Workspace = string> {
  readonly workspaceId: Workspace;
  /** Where new files are stored; undefined: in the database. */
  readonly objects: ObjectStore | undefined;
  /** The archive of months; one that refuses where none is set. */
  readonly archive: Archive;
  /**
   * Runs `work` in one transaction and commits. An error rolls it back. Only the database may be awaited within. `owner`: whose share of the
   * connections a writing one takes; by default the workspace of the rows. One that joins a transaction takes none.
   */
  transaction<T>(work: (tx: Transaction<Workspace>) => Promise<T>, owner?: string): Promise<T>;
  /** Runs `work`, which is a single statement: a write needs no explicit transaction. */
  statement<T>(work: (rows: Bound<Workspace>) => Promise<T>): Promise<T>;
  /** The same rows in a transaction that the ledger has begun on this client. */
  within(client: PoolClient): Promise<Transaction<Workspace>>;
}

/** The rows of one workspace, or of all. */
export type AnyRows = Rows<string | undefined>;

/** The entity manager with its tables. It finds and changes only the workspace's rows, whatever the query. */
export type Bound<Workspace = string> = Tables & {
  readonly workspaceId: Workspace;
  readonly objects: ObjectStore | undefined;
  /** The archive of months; one that refuses where none is set. */
  readonly archive: Archive;
  readonly em: EntityManager;
  /** For the ledger, and for statements that the ORM cannot express. These must filter by workspace themselves. */
  readonly client: Queryable;
};

export type Transaction<Workspace = string> = Bound<Workspace> & Rows<Workspace> & { readonly client: PoolClient };
export type AnyTransaction = Transaction<string | undefined>;

/** Opens rows for reading (`reading`: a pool for that), or for writing. */
export interface RowsOfAll {
  /**
   * To read as one workspace: in a read-only role, for which the database shows only that workspace's rows, and of keys, calls, usage and
   * runs only those of the projects, unless they are null. Throws `LedgerUnavailable` while the database is down.
   */
  read: (workspaceId: string, projectIds?: readonly string[] | null) => Rows;
  /** To read and write as one workspace. */
  write(workspaceId: string): Rows;
  /** To read and write every workspace's rows: for sweeps, workflows and operators. */
  everywhere: Rows<undefined>;
}

const TENANT_ROLE = 'ledgerline_tenant';
const NO_PROJECT = 'none';

/** `isPooled`: a pooler shares the connections of `reading` with writers, and their settings. */
export function createRows({
  reading,
  isPooled = false,
  ...opening
}: Opening & { reading: Pool; isPooled?: boolean }): RowsOfAll {
  const setting = isPooled ? PLAN_AS_READER : '';
  const share = shareConnections(opening.pool);
  return {
    read: (workspaceId, projectIds) =>
      readingRows({ ...opening, pool: reading, setting }, workspaceId, projectIds ?? null),
    write: (workspaceId) => writingRows({ ...opening, share }, workspaceId),
    everywhere: writingRows({ ...opening, share }, undefined),
  };
}

interface Opening {
  pool: Pool;
  objects?: ObjectStore | undefined;
  archive: Archive;
}

function writingRows<Workspace extends string | undefined>(
  { pool, share, objects, archive }: Opening & { share: Share },
  workspaceId: Workspace,
): Rows<Workspace> {
  const place = { workspaceId, objects, archive };
  return {
    ...place,
    transaction: async (work, owner = workspaceId) => {
      const opened = await openOrm();
      return share(owner, () => inTransaction(pool, (client) => work(transactionOn(opened, client, place))));
    },
    statement: async (work) => work(bind(await openOrm(), pool, place)),
    within: async (client) => transactionOn(await openOrm(), client, place),
  };
}

function readingRows(
  { pool, objects, archive, setting }: Opening & { setting: string },
  workspaceId: string,
  projectIds: readonly string[] | null,
): Rows {
  const place = { workspaceId, objects, archive };
  // Without a project, none is seen: an empty setting would mean all.
  const limit = projectIds && `; set local app.project_ids = ${escapeLiteral(projectIds.join(',') || NO_PROJECT)}`;
  // Role and workspace end with the transaction, so the connection returns to the pool unchanged.
  const begin = `begin; set local role ${TENANT_ROLE}; set local app.workspace_id = ${escapeLiteral(workspaceId)}${limit ?? ''}${setting}`;
  const transaction: Rows['transaction'] = async (work) => {
    try {
      const opened = await openOrm();
      return await inTransaction(pool, (client) => work(transactionOn(opened, client, place)), begin);
    } catch (error) {
      throw isMistake(error) ? error : new LedgerUnavailable('the database cannot be read', error);
    }
  };
  return {
    ...place,
    transaction,
    statement: transaction,
    within: async (client) => transactionOn(await openOrm(), client, place),
  };
}

type Place<Workspace> = Pick<Rows<Workspace>, 'workspaceId' | 'objects' | 'archive'>;

function transactionOn<Workspace extends string | undefined>(
  opened: Opened,
  client: PoolClient,
  place: Place<Workspace>,
): Transaction<Workspace> {
  const tx: Transaction<Workspace> = Object.assign(bind(opened, client, place), {
    client,
    transaction: <T>(work: (joined: Transaction<Workspace>) => Promise<T>) => work(tx),
    statement: <T>(work: (joined: Bound<Workspace>) => Promise<T>) => work(tx),
    within: async () => tx,
  });
  return tx;
}

function bind<Workspace extends string | undefined>(
  { em: root, tables }: Opened,
  client: Queryable,
  place: Place<Workspace>,
): Bound<Workspace> {
  let em: EntityManager | undefined;
  return {
    ...tables,
    ...place,
    client,
    // Many transactions are one prepared statement: they need no manager.
    get em() {
      return (em ??= managerOn(root, client, place.workspaceId));
    },
  };
}

function managerOn(root: EntityManager, client: Queryable, workspaceId: string | undefined): EntityManager {
  const em = root.fork();
  em.setTransactionContext({
    executeQuery: async ({ sql: text }: { sql: string }) => {
      const { rows, rowCount } = await client.query({ text, types: ORM_TYPES });
      return { rows, numAffectedRows: rowCount ?? rows.length };
    },
  });
  if (workspaceId !== undefined) {
    const entity = ofWorkspaces(em);
    em.addFilter({ name: 'workspace', cond: { workspaceId } as never, entity: entity as never });
  }
  return em;
}

let names: string[] | undefined;
const ofWorkspaces = (em: EntityManager): string[] =>
  (names ??= [...em.getMetadata().getAll().values()]
    .filter(({ properties }) => 'workspaceId' in properties)
    .map(({ className }) => className));

// The ORM parses dates, times and intervals from text.
const ORM_TYPES = new TypeOverrides();
for (const oid of [1082, 1114, 1184, 1186]) ORM_TYPES.setTypeParser(oid, (text: string) => text);

// Permanent errors, which a retry would repeat: refusals of `work`, errors of the language, and the SQLSTATE classes for data, rules and
// names.
function isMistake(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  const isOurs =
    /^((Type|Range|Reference)Error|\w+Refused|ObjectStoreFailed)$/.test(name ?? '') || /^42...$/.test(code ?? '');
  return isOurs || isRefusedByData(error);
}
