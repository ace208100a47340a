import type { Command } from 'commander';
import { Ledgerline } from '../src/index.ts';

/** The client that a command uses: by its options, the environment, or the stored login. */
export function clientOf(command: Command): Ledgerline {
  const { baseUrl } = command.optsWithGlobals<{ baseUrl?: string }>();
  return new Ledgerline({ baseUrl });
}
