import type { MikroORM } from '@mikro-orm/postgresql';

const PRELOAD_MS = 1_000;

/** The ORM of one database, for whoever reads through it. */
export interface LazyOrm {
  /** Resolves with the ORM, loaded and opened by the first call. Rejects with what went wrong; the next call tries again. */
  open(): Promise<Pick<MikroORM, 'em'>>;
  /** Opens it a moment from now, so that no read waits for that. */
  preload(): void;
  close(): Promise<void>;
}

/**
 * The ORM with its query builder is a third of all modules of a process, and a fifth of a second at its start: what spends money reads
 * nothing through it, and does not wait for it. Options as for `openOrm`.
 */
export function createLazyOrm(options: { url: string; role: string }): LazyOrm {
  let opening: Promise<MikroORM> | undefined;

  async function load(): Promise<MikroORM> {
    try {
      const { openOrm } = await import('./orm.ts');
      return await openOrm(options);
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  const open = (): Promise<MikroORM> => (opening ??= load());

  return {
    open,
    preload: () => void setTimeout(() => void open().catch(() => {}), PRELOAD_MS).unref(),
    close: async () => {
      await (await opening)?.close();
    },
  };
}
