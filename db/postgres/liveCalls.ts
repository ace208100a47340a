import type { Notices } from './notices.ts';

const ANNOUNCE_MS = 200;
// A notice may be late.
const REMEMBERED_MS = 400;

export type LiveCalls = ReturnType<typeof createLiveCalls>;

/** Tells all processes that clients wait for calls, so that work that can wait leaves them the machine and the database. */
export function createLiveCalls({
  notices,
  announce,
}: {
  notices: Pick<Notices, 'listen'>;
  /** Sends the notice `live`. */
  announce: () => void;
}) {
  let announcedAtMs = -Infinity;
  let heardAtMs = -Infinity;
  notices.listen(({ kind }) => {
    if (kind === 'live') heardAtMs = performance.now();
  });

  return {
    /** A call begins that a client waits for. Announced at once, and then five times a second while more begin. */
    begin(): void {
      const nowMs = performance.now();
      if (nowMs - announcedAtMs < ANNOUNCE_MS) return;
      announcedAtMs = nowMs;
      announce();
    },
    /** Whether such calls have begun in the last moment, in any process. */
    areFrequent: (): boolean => performance.now() - heardAtMs < REMEMBERED_MS,
  };
}
