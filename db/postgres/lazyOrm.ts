import type { LockMode, MikroORM, raw, sql } from '@mikro-orm/postgresql';
import type { entities, unexpired } from '../entities/index.ts';

const PRELOAD_MS = 1_000;

/** The tables and the query helpers. They are loaded with the ORM, so modules that are loaded at start refer to them only by type. */
export type Tables = typeof entities & {
  unexpired: typeof unexpired;
  raw: typeof raw;
  sql: typeof sql;
  LockMode: typeof LockMode;
};

interface Opened {
  em: MikroORM['em'];
  tables: Tables;
}

/** The ORM, loaded at its first use. */
export interface LazyOrm {
  /** Resolves with the ORM, loaded by the first call. Rejects when loading fails; the next call tries again. */
  open(): Promise<Opened>;
  /** Loads it a moment from now, so that no request waits for it. */
  preload(): void;
}

/** The ORM is a third of a process's modules and takes a third of a second to load: a chat completion does not wait for it. */
export function createLazyOrm(): LazyOrm {
  let opening: Promise<Opened> | undefined;

  async function load(): Promise<Opened> {
    try {
      const [{ openUnconnectedOrm }, { LockMode, raw, sql }, { entities, unexpired }] = await Promise.all([
        import('./orm.ts'),
        import('@mikro-orm/postgresql'),
        import('../entities/index.ts'),
      ]);
      return { em: (await openUnconnectedOrm()).em, tables: { ...entities, unexpired, raw, sql, LockMode } };
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  const open = (): Promise<Opened> => (opening ??= load());

  return { open, preload: () => void setTimeout(() => void open().catch(() => {}), PRELOAD_MS).unref() };
}
