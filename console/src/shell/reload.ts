const KEY = 'ledgerline-reloaded-for';

/**
 * Loads the page anew because a part of its code is missing: a newer build has other files. Without a network it waits for one. A part that
 * is missing after that too is not asked for again by itself. Returns a function that stops the waiting.
 */
export function reloadOnce({ message }: Error): () => void {
  if (sessionStorage.getItem(KEY) === message) return () => {};
  const reload = () => {
    sessionStorage.setItem(KEY, message);
    location.reload();
  };
  if (navigator.onLine) reload();
  else addEventListener('online', reload, { once: true });
  return () => removeEventListener('online', reload);
}
