import { findProgram } from '../../tools/sandbox/config.ts';
import type { SandboxTier } from '../../tools/sandbox/sandbox.ts';
import { describeWhen } from './needs.ts';

/** Describes the tests of each tier. Those of a missing tier are reported as skipped. */
export function describeTiers(name: string, tiers: SandboxTier[], tests: (tier: SandboxTier) => void): void {
  for (const tier of tiers) {
    describeWhen(isHere(tier), tier === 'bwrap' ? 'bubblewrap' : 'gVisor')(`${name} (${tier})`, () => tests(tier));
  }
}

const isHere = (tier: SandboxTier) => tier === 'quickjs' || findProgram(tier === 'bwrap' ? 'bwrap' : 'runsc') !== null;
