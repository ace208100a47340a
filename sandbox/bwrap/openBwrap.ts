import { findProgram } from '../findProgram.ts';
import type { Limits } from '../limits.ts';
import { agentCommand, AGENT_OVERHEAD_BYTES, baseMounts, pythonMounts } from '../runtimes.ts';
import { SandboxError, type Tier } from '../types.ts';
import { inBwrap } from './inBwrap.ts';

/**
 * The second tier: Node and Python in a jail of Linux namespaces. The host's kernel stays within reach of its system calls.
 * Throws `SandboxError` where bubblewrap is not installed.
 */
export async function openBwrap(limits: Limits): Promise<Tier> {
  const path = findProgram('bwrap');
  if (!path) {
    throw new SandboxError(
      'bubblewrap is not installed: install the package "bubblewrap", or set SANDBOX_BWRAP to its path.',
    );
  }
  const python = pythonMounts();
  return {
    name: 'bwrap',
    languages: python.length > 0 ? ['javascript', 'python'] : ['javascript'],
    description: 'Node and Python in Linux namespaces made by bubblewrap',
    overheadBytes: AGENT_OVERHEAD_BYTES,
    prepare: async () => inBwrap(path, { limits, mounts: [...baseMounts(), ...python], command: agentCommand(limits) }),
  };
}
