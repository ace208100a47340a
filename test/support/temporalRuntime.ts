import { pino } from 'pino';
import { installRuntime } from '../../worker/runtime.ts';
import { productGlobal } from './productRealm.ts';

const state = productGlobal as { hasSilentRuntime?: boolean };

/**
 * Silences the logs of Temporal's library. Its runtime may be installed once in a process, and a worker of Jest runs many test files; when
 * the last connection of a file has ended, the library starts again with the same options.
 */
export function silenceTemporal(): void {
  if (state.hasSilentRuntime) return;
  state.hasSilentRuntime = true;
  installRuntime(pino({ level: 'silent' }));
}
