import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for `work`, but no longer than `limitMs`; `work` then goes on in the background. True: it finished in time. Rejects as `work`
 * does before.
 */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const done = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(limitMs, false, { signal: done.signal })]);
  } finally {
    done.abort();
  }
}

/** Work of which one at a time goes on for each key: whoever asks for it meanwhile shares it. */
export function oneAtATime<Key, Answer>(work: (key: Key) => Promise<Answer>): (key: Key) => Promise<Answer> {
  const going = new Map<Key, Promise<Answer>>();
  return (key) => {
    let answer = going.get(key);
    if (!answer) going.set(key, (answer = work(key).finally(() => going.delete(key))));
    return answer;
  };
}
