import type { Logger } from 'pino';
import { createErrorLog } from '../../base/log.ts';
import type { Database } from '../../db/database.ts';
import { useAwaitedModel } from '../../db/liveCatalog/agentModelChoice.ts';
import type { LiveCatalog } from '../../db/liveCatalog/liveCatalog.ts';
import { askForEngine } from '../../providers/fetchedEngines.ts';
import { offeredEngines, type OfferedEngine } from './engines.ts';

const EVERY_MS = 1_000;

/**
 * Puts the awaited model of agents to use once its engine answers. Every API process looks after it, so that it needs neither a page that
 * stays open nor the process that began the fetch; a fetch that ended with its process begins again. Nothing is asked while none is awaited.
 */
export function watchAwaitedModel({ catalog, db, log }: Watched): { close(): Promise<void> } {
  const onError = createErrorLog(log, 'the awaited model of agents');
  let looking: Promise<void> | undefined;

  function awaitedEngine(): OfferedEngine | undefined {
    const composed = catalog.composed();
    const awaited = composed.choices.find(({ state }) => state === 'awaited');
    return awaited && offeredEngines(composed).find(({ model }) => model.id === awaited.model);
  }

  async function look(): Promise<void> {
    const offered = awaitedEngine();
    if (!offered) return;
    const { facts, address, model } = offered;
    const { state } = (await askForEngine(address, facts.name, 'describe')) ?? {};
    if (state === 'absent' || state === 'fetched') {
      // It may be absent because somebody has just cancelled the fetch, here or at another process.
      await catalog.refresh();
      if (awaitedEngine()?.facts === facts) await askForEngine(address, facts.name, 'fetch');
    }
    if (state !== 'ready') return;
    await useAwaitedModel(db.everywhere, model.id);
    log.info({ event: 'agent_model', model: model.id }, 'agents use another model now');
    await catalog.refresh();
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch(onError)
      .finally(() => (looking = undefined));
  }, EVERY_MS).unref();
  async function close(): Promise<void> {
    clearInterval(timer);
    await looking;
  }

  return { close };
}

interface Watched {
  catalog: LiveCatalog;
  db: Pick<Database, 'everywhere'>;
  log: Logger;
}
