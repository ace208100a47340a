type RequestId = string | number;

/**
 * The calls that this process is at. Clients of the editions of 2025 cancel a call with a message of its own, which finds the call by
 * its number: those count from one for each client, so where two of a key's clients are at the same number, it says too little.
 */
export function createCalls() {
  const open = new Map<string, Set<AbortController>>();
  const nameOf = (keyId: string, requestId: RequestId) => `${keyId} ${JSON.stringify(requestId)}`;

  /** Runs a call. Its signal aborts when the call is cancelled, or its client has disconnected. */
  async function follow<T>(
    { keyId, requestId, gone }: { keyId: string; requestId: RequestId; gone: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const name = nameOf(keyId, requestId);
    const cancelled = new AbortController();
    const sameName = open.get(name) ?? new Set();
    open.set(name, sameName.add(cancelled));
    try {
      return await work(AbortSignal.any([gone, cancelled.signal]));
    } finally {
      sameName.delete(cancelled);
      if (sameName.size === 0) open.delete(name);
    }
  }

  function cancel(keyId: string, requestId: RequestId | undefined): void {
    const named = requestId === undefined ? undefined : open.get(nameOf(keyId, requestId));
    if (named?.size === 1) for (const call of named) call.abort();
  }

  return { follow, cancel };
}
