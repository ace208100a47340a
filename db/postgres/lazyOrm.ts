import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LockMode, MikroORM, raw, sql } from '@mikro-orm/postgresql';
import type { entities, unexpired } from '../entities/index.ts';

/** The tables and the query helpers. They are loaded with the ORM, so modules that are loaded at start refer to them only by type. */
export type Tables = typeof entities & {
  unexpired: typeof unexpired;
  raw: typeof raw;
  sql: typeof sql;
  LockMode: typeof LockMode;
};

/** The ORM and what queries name. */
export interface Opened {
  em: MikroORM['em'];
  tables: Tables;
}

let opening: Promise<Opened> | undefined;

/**
 * Resolves with the ORM of this process, loaded by the first call. It has no connection, so all databases of the process share it. Rejects
 * when loading fails; the next call tries again.
 */
export function openOrm(): Promise<Opened> {
  return (opening ??= load());
}

// Chat completions need no ORM, which takes 20 MB and 170 ms to load. It is loaded in steps: other requests are answered in between.
async function load(): Promise<Opened> {
  try {
    const { LockMode, raw, sql } = await import('@mikro-orm/postgresql');
    await nextTurn();
    const { entities, unexpired } = await import('../entities/index.ts');
    const { openUnconnectedOrm } = await import('./orm.ts');
    await nextTurn();
    return { em: openUnconnectedOrm().em, tables: { ...entities, unexpired, raw, sql, LockMode } };
  } catch (error) {
    opening = undefined;
    throw error;
  }
}
