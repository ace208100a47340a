/**
 * The callers of this process whose disconnect cancels a run. Several calls under one idempotency key follow the same run: the last of them
 * that leaves ends it.
 */
export function createRunCallers() {
  const counts = new Map<string, number>();

  /** Adds a caller. Call the result once when it has left, or has its answer. */
  function follow(runId: string): () => void {
    counts.set(runId, (counts.get(runId) ?? 0) + 1);
    return () => {
      const rest = counts.get(runId)! - 1;
      if (rest > 0) counts.set(runId, rest);
      else counts.delete(runId);
    };
  }

  return { follow, has: (runId: string): boolean => counts.has(runId) };
}
