import { createAdapterFactory } from 'better-auth/adapters';
import { hashSessionToken } from '../../db/accounts/consoleSession.ts';
import { createAccountRows, type AccountTable, type Condition, type Selection } from '../../db/accounts/accountRows.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '../../base/errors/apiError.ts';
import { conflict } from '../../base/errors/requestErrors.ts';
import { LastOwner, WorkspaceFull } from '../../db/accounts/members.ts';
import { isDuplicate } from '../../db/postgres/databaseErrors.ts';
import type { AnyRows, AnyTransaction } from '../../db/postgres/rows.ts';
import { auditWrite, isAudited } from './accountAudit.ts';
import { providerTable, type ProviderReading } from './providerRow.ts';

type Adapter = ReturnType<typeof createAdapterFactory>;
type Options = Parameters<Adapter>[0];

interface Target {
  model: string;
  where?: Condition[];
}

/**
 * The account tables for better-auth, on our rows. Session tokens are stored as hashes: a row found by its token contains the token, any
 * other row does not.
 */
export function accountAdapter(rows: AnyRows, reading: ProviderReading): Adapter {
  let options: Options;
  const factory = createAdapterFactory({
    config: {
      adapterId: 'ledgerline',
      supportsJSON: false,
      transaction: (work) =>
        rows.transaction((tx) => transactions.run(tx, () => work(accountAdapter(tx, reading)(options)))),
    },
    adapter: () => createMethods(rows, reading),
  });
  return (given) => factory((options = given));
}

const transactions = new AsyncLocalStorage<AnyTransaction>();

/** The transaction in which the library calls us, or undefined. */
export const transactionOf = (): AnyTransaction | undefined => transactions.getStore();

function createMethods(rows: AnyRows, reading: ProviderReading) {
  const tables = createAccountRows(rows);
  type Tables = typeof tables;

  /** A write of rows of an account, with the audit of the request whose act it is in the same transaction. */
  async function write<T>(
    act: string,
    { where = [], data = {} }: { where?: Condition[] | undefined; data?: object },
    work: (within: Tables) => Promise<T>,
  ): Promise<T> {
    if (!isAudited(act)) return work(tables);
    return audited(act, { where, data }, work).catch((error: unknown) => {
      throw refusalOf(act, error) ?? error;
    });
  }

  function audited<T>(
    act: string,
    { where, data }: { where: Condition[]; data: object },
    work: (within: Tables) => Promise<T>,
  ): Promise<T> {
    const named = Object.fromEntries(where.map(({ field, value }) => [field, value]));
    return rows.transaction(async (tx) => {
      const done = await work(createAccountRows(tx));
      if (done !== null && done !== 0) await auditWrite(tx, act, { ...named, ...data });
      return done;
    });
  }
  const providers = providerTable(rows, reading);
  const table = ({ model }: Target) => model as AccountTable;
  const remove = (target: Target) =>
    write(`remove ${target.model}`, target, (within) => within.remove(table(target), hashed(target)));

  return {
    async create<T>({ model, data }: { model: string; data: T }): Promise<T> {
      const row = hidden(model, data as object);
      await write(`create ${model}`, { data: row }, (within) => within.insert(model as AccountTable, row));
      return data;
    },
    findOne: async <T>(target: Target): Promise<T | null> => {
      if (target.model === PROVIDER) return (await providers.read(providerIdOf(target), false)) as T | null;
      return withToken(
        target,
        ((await tables.find(table(target), { where: hashed(target), limit: 1 }))[0] ?? null) as T | null,
      );
    },
    findMany: async <T>({ model, where, limit, offset, sortBy }: Target & Selection): Promise<T[]> => {
      const rowsFound = await tables.find(model as AccountTable, {
        where: hashed({ model, where }),
        limit,
        offset,
        sortBy,
      });
      return rowsFound.map((row) => withToken({ model }, row as T)!);
    },
    update: async <T>({ update, ...target }: Target & { update: T }): Promise<T | null> => {
      // The library locks a provider by an update that changes nothing.
      if (target.model === PROVIDER) return (await providers.read(providerIdOf(target), true)) as T | null;
      const change = hidden(target.model, update as object);
      const changed = await write(`change ${target.model}`, target, (within) =>
        within.change(table(target), hashed(target), change),
      );
      return withToken(target, changed as T | null);
    },
    updateMany: ({ update, ...target }: Target & { update: object }) =>
      write(`change ${target.model}`, target, (within) =>
        within.changeAll(table(target), hashed(target), hidden(target.model, update)),
      ),
    delete: async (target: Target) => void (await remove(target)),
    deleteMany: remove,
    consumeOne: async <T>(target: Target) =>
      withToken(target, (await tables.take(table(target), hashed(target))) as T | null),
    incrementOne: async <T>(
      target: Target & { increment: Record<string, number>; set?: Record<string, unknown> | undefined },
    ) => {
      const changed = await write(`change ${target.model}`, target, (within) =>
        within.add(table(target), hashed(target), target.increment, target.set),
      );
      return withToken(target, changed as T | null);
    },
    count: (target: Target) => tables.count(table(target), hashed(target)),
  };
}

/** Of requests at the same time that each found the workspace as it was before. */
function refusalOf(act: string, error: unknown): ApiError | undefined {
  // As the library answers a request that comes alone.
  if (error instanceof WorkspaceFull) {
    const code = error.of === 'members' ? 'organization_membership_limit_reached' : 'invitation_limit_reached';
    return new ApiError({ status: 403, code, message: error.message });
  }
  if (error instanceof LastOwner) return conflict('last_owner', error.message);
  if (act === 'create member' && isDuplicate(error))
    return conflict('already_member', 'The person is a member of this workspace already.');
  return undefined;
}

const PROVIDER = 'ssoProvider';

/** Providers are found by their id alone. */
function providerIdOf({ where = [] }: Target): string {
  const found = where.find(({ field, operator }) => field === 'providerId' && operator === 'eq');
  return typeof found?.value === 'string' ? found.value : '';
}

const isToken = (model: string, field: string) => model === 'session' && field === 'token';

function hidden(model: string, row: object): Record<string, unknown> {
  const { token } = row as { token?: string };
  return { ...row, ...(isToken(model, 'token') && token !== undefined && { token: hashSessionToken(token) }) };
}

function hashed({ model, where = [] }: Target): Condition[] {
  const hash = (value: unknown) => hashSessionToken(String(value));
  const hashes = (value: unknown) => (Array.isArray(value) ? value.map(hash) : hash(value));
  return where.map((condition) =>
    isToken(model, condition.field) ? { ...condition, value: hashes(condition.value) } : condition,
  );
}

function withToken<T>({ model, where }: Target, row: T | null): T | null {
  if (row === null || model !== 'session') return row;
  const asked = where?.find(({ field, operator }) => field === 'token' && operator === 'eq');
  return { ...row, token: asked === undefined ? '' : String(asked.value) };
}
