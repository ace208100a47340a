/** All items of a stream, in order. */
export async function collect<T>(items: AsyncIterable<T> | PromiseLike<AsyncIterable<T>>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of await items) all.push(item);
  return all;
}
