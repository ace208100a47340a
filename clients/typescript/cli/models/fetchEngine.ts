import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import { bytes } from '../format.ts';
import { say } from '../output.ts';
import { onInterrupt } from '../terminal/interrupts.ts';
import { Interrupted } from '../terminal/prompts.ts';
import { statusLine } from '../terminal/statusLine.ts';
import type { Engine, Operator } from './starters.ts';

const INTERVAL_MS = 500;

/** Has a model fetched where it runs, and shows how far that is. Ctrl-C cancels the fetch. */
export async function fetchEngine(operator: Operator, { name, title }: Engine, isForAgents: boolean): Promise<Engine> {
  const leaving = new AbortController();
  const status = statusLine();
  const interrupts = onInterrupt(
    () => leaving.abort(new Interrupted()),
    () => 'The fetch goes on.',
  );
  try {
    await operator.fetch(name, isForAgents);
    for (;;) {
      const engine = await operator.fetchOf(name);
      // The installation puts it to use a moment after it answers.
      if (engine.state === 'ready' && (await operator.agentModel()).awaited?.model !== engine.model) return engine;
      refuseEnd(engine);
      const { bytes: done, whole_bytes: whole } = engine;
      if (engine.state === 'fetching') status.progress(title, done, whole, `${bytes(done)} of ${bytes(whole)}`);
      else status.set(`Loading ${title}`);
      await sleep(INTERVAL_MS, undefined, { signal: leaving.signal }).catch(() => {});
      leaving.signal.throwIfAborted();
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    await operator.cancel(name);
    say('The fetch is cancelled, and nothing of it is left.');
    throw leaving.signal.reason;
  } finally {
    status.clear();
    interrupts.release();
  }
}

function refuseEnd({ state, title, message }: Engine): void {
  if (state === 'failed') throw new Failure(message ?? `${title} could not be fetched.`);
  if (state === 'unreachable') throw new Failure('The process that runs the model does not answer any more.');
  if (state === 'absent') throw new Failure('The fetch was cancelled elsewhere.');
}
