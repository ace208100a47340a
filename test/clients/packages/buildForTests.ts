import { join } from 'node:path';
import { buildClients } from '../../../ops/stack/builds/clients.ts';

/** Builds the packages of this checkout, as `npm start` does, unless they are up to date. */
export const buildForTests = (): Promise<boolean> =>
  buildClients({ projectDir: join(import.meta.dirname, '../../..'), env: process.env, onProgress: () => {} });
