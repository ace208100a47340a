import type { Encoding } from './encoding.ts';

let loading: Promise<Encoding> | undefined;

/** The o200k_base encoding, loaded with its first use; a load that has failed is tried again by the next. */
export function loadEncoding(): Promise<Encoding> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Encoding> {
  const [{ default: ranks }, { createEncoding }] = await Promise.all([
    import('js-tiktoken/ranks/o200k_base'),
    import('./encoding.ts'),
  ]);
  return createEncoding(ranks);
}
