import { findProgram } from './config.ts';
import { findPython } from './runtimes.ts';
import type { Language, SandboxTier } from './types.ts';

/**
 * The languages that a tier offers on this machine, by the installed programs. Python runs on gVisor and in bubblewrap; beside QuickJS it
 * requires bubblewrap. A worker offers them once its escape suite has passed.
 */
export function languagesOf(tier: SandboxTier): Language[] {
  const hasJail = tier !== 'quickjs' || findProgram('bwrap') !== null;
  return hasJail && findPython() !== null ? ['javascript', 'python'] : ['javascript'];
}
