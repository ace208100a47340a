import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { entities, unexpired } from '../entities/index.ts';

const PRELOAD_MS = 1_000;

/** The tables and the conditions shared by many reads. They are loaded with the ORM: readers import their types alone. */
export type Entities = typeof entities & { unexpired: typeof unexpired };

interface Opened {
  orm: MikroORM;
  em: MikroORM['em'];
  entities: Entities;
}

/** The ORM of one database, loaded at its first use. */
export interface LazyOrm {
  /** Resolves with the ORM, loaded and opened by the first call. Rejects with what went wrong; the next call tries again. */
  open(): Promise<Pick<Opened, 'em' | 'entities'>>;
  /** Opens it soon, so that no read waits for it. */
  preload(): void;
  /** Its connections, once it is open. */
  pool(): Pool | undefined;
  close(): Promise<void>;
}

/**
 * The ORM is a third of a process's modules and takes a third of a second at its start. Calls that spend money read nothing through it and
 * do not wait for it. Options as for `openOrm`.
 */
export function createLazyOrm(options: { url: string; role: string }): LazyOrm {
  let opening: Promise<Opened> | undefined;
  let pool: Pool | undefined;

  async function load(): Promise<Opened> {
    try {
      const [{ openOrm }, { entities, unexpired }] = await Promise.all([
        import('./orm.ts'),
        import('../entities/index.ts'),
      ]);
      const orm = await openOrm({ ...options, onPool: (opened) => (pool = opened) });
      return { orm, em: orm.em, entities: { ...entities, unexpired } };
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  const open = (): Promise<Opened> => (opening ??= load());

  return {
    open,
    preload: () => void setTimeout(() => void open().catch(() => {}), PRELOAD_MS).unref(),
    pool: () => pool,
    close: async () => {
      await (await opening)?.orm.close();
    },
  };
}
