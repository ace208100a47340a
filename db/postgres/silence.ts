import { setTimeout as sleep } from 'node:timers/promises';
import { waitAtMost } from '../../base/waiting.ts';

// A hiccup of the database is shorter. Statements, which time out after six seconds, wait it out; a process that is taken out of service for
// it only moves its load to others that wait too.
const TOLERATED_MS = 5_000;
// A prober waits a second for its answer.
const ANSWER_MS = 500;
const ASK_AGAIN_MS = 250;

/** A part that is asked whether it works: by one question at a time, each with a limit. */
export type Part = () => Promise<boolean>;

/**
 * Tells parts that are silent from those that only pause. A part is silent once it has failed to answer for `TOLERATED_MS`: from the first
 * unanswered question on it is asked again until it answers, also when nobody looks, so that a hiccup at each look is not taken for one long
 * silence.
 */
export function createSilenceWatch(parts: Record<string, Part>, now: () => number = () => performance.now()) {
  const asked = new Map<string, { sinceMs: number; answered: Promise<void> }>();
  const closing = new AbortController();

  async function askUntilAnswered(part: Part): Promise<void> {
    while (!closing.signal.aborted && !(await part().catch(() => false)))
      await sleep(ASK_AGAIN_MS, undefined, { ref: false });
  }

  function ask(name: string, part: Part) {
    const question = { sinceMs: now(), answered: askUntilAnswered(part).finally(() => asked.delete(name)) };
    asked.set(name, question);
    return question;
  }

  return {
    /** The names of the parts that are silent now. */
    async find(): Promise<string[]> {
      const questions = Object.entries(parts).map(([name, part]) => ({
        name,
        ...(asked.get(name) ?? ask(name, part)),
      }));
      await waitAtMost(ANSWER_MS, Promise.all(questions.map(({ answered }) => answered)));
      return questions
        .filter(({ name, sinceMs }) => asked.get(name)?.sinceMs === sinceMs && now() - sinceMs >= TOLERATED_MS)
        .map(({ name }) => name);
    },
    close: (): void => closing.abort(),
  };
}
