/** The same chunks, once there is a first one: a file's head, which some formats begin with, is no sign of an engine at work. */
export async function started<T>(items: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const rest = items[Symbol.asyncIterator]();
  const first = await rest.next();
  return (async function* () {
    if (first.done) return;
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => rest };
    } finally {
      await rest.return?.();
    }
  })();
}
