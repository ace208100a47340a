import { runInThisContext } from 'node:vm';

/** The global object of the product's realm, which differs from the tests' own. */
export const productGlobal = runInThisContext('globalThis') as typeof globalThis;
