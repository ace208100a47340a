import type { PageEntry } from '../pages.ts';

const DELAY_MS = 1_000;

/** What draws notifications. It is there before the connection breaks, of which it tells. */
export const loadNotifications = () => import('./Notifications.tsx');

/**
 * Loads the code of pages one after another, while the browser is idle, so that a click does not wait for it. The first page gets the
 * network to itself before. Returns a function that stops it.
 */
export function preload(pages: PageEntry[]): () => void {
  let isStopped = false;
  const loads: (() => Promise<unknown>)[] = [loadNotifications, ...pages.map(({ load }) => load)];
  const loadAll = async () => {
    for (const load of loads) {
      await idle();
      if (isStopped) return;
      // An opened page loads it again, and shows why it cannot.
      await load().catch(() => undefined);
    }
  };
  const timer = setTimeout(() => void loadAll(), DELAY_MS);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

const idle = () =>
  new Promise<unknown>((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve);
    else setTimeout(resolve, 50);
  });
