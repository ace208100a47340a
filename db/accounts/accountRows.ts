import { endLogins } from '../keys/endLogins.ts';
import { containing, likePattern } from '../postgres/likePattern.ts';
import type { AnyRows, AnyTransaction, Bound } from '../postgres/rows.ts';
import { lockWorkspace } from '../workspaces/lockWorkspace.ts';
import { keepOwner, MEMBERS_MAX, OPEN_INVITATIONS_MAX, removeMembers, WorkspaceFull } from './members.ts';

/** The tables of accounts, by their names in the library. */
const ENTITIES = {
  user: 'User',
  session: 'UserSession',
  account: 'Credential',
  verification: 'Verification',
  twoFactor: 'TwoFactor',
  passkey: 'Passkey',
  organization: 'Workspace',
  member: 'Member',
  invitation: 'Invitation',
} as const;

export type AccountTable = keyof typeof ENTITIES;

/** A condition on a column. All conditions must hold, or one of those marked `OR`. */
export interface Condition {
  field: string;
  operator: string;
  value: unknown;
  connector: 'AND' | 'OR';
  mode?: 'sensitive' | 'insensitive';
}

export interface Selection {
  where?: Condition[];
  limit?: number;
  offset?: number;
  sortBy?: { field: string; direction: 'asc' | 'desc' };
}

type Row = Record<string, unknown>;

/** Reads and writes the tables of accounts by table name, for the accounts library. */
export function createAccountRows(rows: AnyRows) {
  const entityOf = (bound: Bound<unknown>, table: AccountTable) => bound[ENTITIES[table]] as Bound['User'];
  const plain = (row: object | null): Row | null => (row === null ? null : { ...row });

  async function find(table: AccountTable, { where, limit, offset, sortBy }: Selection): Promise<Row[]> {
    const found = await rows.statement((bound) =>
      bound.em.find(entityOf(bound, table), filterOf(where), {
        limit,
        offset,
        orderBy: sortBy && { [sortBy.field]: sortBy.direction },
      }),
    );
    return found.map((row) => ({ ...row }));
  }

  /** Runs `work` on one matching row, which it locks. */
  function onOne(
    table: AccountTable,
    where: Condition[],
    work: (row: Row, tx: AnyTransaction) => Promise<Row | null>,
  ): Promise<Row | null> {
    return rows.transaction(async (tx) => {
      const lockMode = tx.LockMode.PESSIMISTIC_WRITE;
      const [row] = await tx.em.find(entityOf(tx, table), filterOf(where), { limit: 1, lockMode });
      return row === undefined ? null : work({ ...row }, tx);
    });
  }

  return {
    find,
    async insert(table: AccountTable, data: Row): Promise<Row> {
      const insertBy = (bound: Bound<unknown>) => bound.em.insert(entityOf(bound, table), data as never);
      const makeRoom =
        table === 'invitation' ? makeRoomForInvitation : table === 'member' ? makeRoomForMember : undefined;
      if (makeRoom)
        await rows.transaction(async (tx) => {
          await makeRoom(tx, data as Admission);
          await insertBy(tx);
        });
      else await rows.statement(insertBy);
      return data;
    },
    count: (table: AccountTable, where?: Condition[]): Promise<number> =>
      rows.statement((bound) => bound.em.count(entityOf(bound, table), filterOf(where))),
    /** Changes one matching row. Returns its new state, or null. */
    change: (table: AccountTable, where: Condition[], change: Row): Promise<Row | null> =>
      onOne(table, where, async ({ id, userId }, tx) => {
        const entity = entityOf(tx, table);
        await tx.em.nativeUpdate(entity, { id: id as string }, change);
        if (table === 'member') {
          await keepOwner(tx, id as string);
          await endLogins(tx, userId as string);
        }
        return plain(await tx.em.findOne(entity, { id: id as string }));
      }),
    changeAll: (table: AccountTable, where: Condition[], change: Row): Promise<number> =>
      rows.statement((bound) => bound.em.nativeUpdate(entityOf(bound, table), filterOf(where), change as never)),
    remove: (table: AccountTable, where: Condition[]): Promise<number> =>
      table === 'member'
        ? removeMembers(rows, filterOf(where))
        : rows.statement((bound) => bound.em.nativeDelete(entityOf(bound, table), filterOf(where))),
    /** Removes one matching row and returns it: of concurrent calls only one gets it. */
    take: (table: AccountTable, where: Condition[]): Promise<Row | null> =>
      onOne(table, where, async (row, bound) => {
        await bound.em.nativeDelete(entityOf(bound, table), { id: row.id as string });
        return row;
      }),
    /** Adds to numbers of one matching row, and sets others. */
    add: (table: AccountTable, where: Condition[], steps: Record<string, number>, set: Row = {}): Promise<Row | null> =>
      onOne(table, where, async (row, bound) => {
        const sums = Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, Number(row[name]) + step]));
        const change = { ...set, ...sums };
        if (table === 'invitation' && set.status === 'pending')
          change.status = await statusOfReopened(bound, row as Admission);
        await bound.em.nativeUpdate(entityOf(bound, table), { id: row.id as string }, change);
        return { ...row, ...change };
      }),
    transaction: <T>(work: (within: AnyRows) => Promise<T>): Promise<T> => rows.transaction(work),
  };
}

/** What is read of a new invitation, and of a new member but for the address. */
type Admission = { workspaceId: string; email: string };

/** An address has one open invitation to a workspace: with two, a removed member could join again by the second. */
async function makeRoomForInvitation(tx: AnyTransaction, { workspaceId, email }: Admission): Promise<void> {
  const { em, Invitation } = tx;
  await lockWorkspace(tx, workspaceId);
  await em.nativeUpdate(Invitation, { workspaceId, email, status: 'pending' }, { status: 'canceled' });
  if ((await countOpen(tx, { workspaceId })) >= OPEN_INVITATIONS_MAX) throw new WorkspaceFull('invitations');
}

const countOpen = (
  { em, sql, Invitation }: AnyTransaction,
  where: Pick<Admission, 'workspaceId'> & Partial<Admission>,
) => em.count(Invitation, { ...where, status: 'pending', expiresAt: { $gt: sql.now() } });

/** An acceptance that found no place opens its invitation again, unless its address was invited anew, or the last place is taken. */
async function statusOfReopened(
  tx: AnyTransaction,
  { workspaceId, email }: Admission,
): Promise<'pending' | 'canceled'> {
  await lockWorkspace(tx, workspaceId);
  const isInvited = (await countOpen(tx, { workspaceId, email })) > 0;
  return isInvited || (await countOpen(tx, { workspaceId })) >= OPEN_INVITATIONS_MAX ? 'canceled' : 'pending';
}

async function makeRoomForMember(tx: AnyTransaction, { workspaceId }: Omit<Admission, 'email'>): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  if ((await tx.em.count(tx.Member, { workspaceId })) >= MEMBERS_MAX) throw new WorkspaceFull('members');
}

const OPERATORS: Record<string, string> = {
  ne: '$ne',
  lt: '$lt',
  lte: '$lte',
  gt: '$gt',
  gte: '$gte',
  in: '$in',
  not_in: '$nin',
};

function filterOf(where: Condition[] = []): object {
  const all = where.filter(({ connector }) => connector !== 'OR').map(clauseOf);
  const some = where.filter(({ connector }) => connector === 'OR').map(clauseOf);
  const clauses = some.length > 0 ? [...all, { $or: some }] : all;
  return clauses.length === 0 ? {} : { $and: clauses };
}

function clauseOf({ field, operator, value, mode }: Condition): object {
  if (operator === 'contains') return { [field]: { $like: containing(String(value)) } };
  if (operator === 'starts_with') return { [field]: { $like: `${likePattern(String(value))}%` } };
  if (operator === 'ends_with') return { [field]: { $like: `%${likePattern(String(value))}` } };
  if (mode === 'insensitive' && typeof value === 'string') return { [field]: { $ilike: likePattern(value) } };
  const name = OPERATORS[operator];
  return { [field]: name === undefined ? value : { [name]: value } };
}
