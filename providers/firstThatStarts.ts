import { ProviderError } from './provider.ts';

/**
 * The items of the first attempt that brings one: the next attempt is made while nothing has come, and only if the failure was the
 * upstream's. Throws the last failure.
 */
export async function* firstThatStarts<T>(attempts: (() => AsyncIterable<T>)[]): AsyncGenerator<T> {
  let failure: unknown = new ProviderError('unavailable', 'no upstream serves this model');
  for (const attempt of attempts) {
    let items: AsyncIterator<T, unknown>;
    let first: IteratorResult<T, unknown>;
    try {
      items = attempt()[Symbol.asyncIterator]();
      first = await items.next();
    } catch (error) {
      if (!(error instanceof ProviderError) || error.fault === 'refused') throw error;
      failure = error;
      continue;
    }
    return yield* from(first, items);
  }
  throw failure;
}

async function* from<T>(first: IteratorResult<T, unknown>, items: AsyncIterator<T, unknown>): AsyncGenerator<T> {
  try {
    for (let result = first; !result.done; result = await items.next()) yield result.value;
  } finally {
    await items.return?.();
  }
}
