import { createSandbox } from './createSandbox.ts';
import { assertContained } from './escapeSuite.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { openBwrap } from './bwrap/openBwrap.ts';
import { openGvisor } from './gvisor/openGvisor.ts';
import { openQuickjs } from './quickjs/openQuickjs.ts';
import type { Sandbox, SandboxTier } from './types.ts';

export { SandboxError } from './types.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export type { Ending, Language, Outcome, Program, ProgramFile, Sandbox, SandboxTier } from './types.ts';

/**
 * Opens a tier and runs its escape suite. Throws `SandboxError` when the tier is missing or any escape works: a caller must then run no
 * program at all, and never gets a weaker tier than requested.
 */
export async function openSandbox({
  tier,
  limits: changes = {},
}: {
  tier: SandboxTier;
  limits?: Partial<Limits>;
}): Promise<Sandbox> {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  const sandbox = createSandbox(await openTier(tier, limits), limits);
  try {
    await assertContained(sandbox);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function openTier(tier: SandboxTier, limits: Limits) {
  switch (tier) {
    case 'quickjs':
      return openQuickjs(limits);
    case 'bwrap':
      return openBwrap(limits);
    case 'gvisor':
      return openGvisor(limits);
    default:
      return tier satisfies never;
  }
}
