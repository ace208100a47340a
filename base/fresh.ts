/** Caches the result of `read` for this long. Failures are not cached. */
export function fresh<T>(forMs: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { result: Promise<T>; atMs: number } | undefined;
  return () => {
    if (kept && performance.now() - kept.atMs < forMs) return kept.result;
    const result = read();
    kept = { result, atMs: performance.now() };
    result.catch(() => (kept = undefined));
    return result;
  };
}
