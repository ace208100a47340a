import { randomUUID } from 'node:crypto';
import { makeControlGroup, sweepControlGroups } from '../controlGroup.ts';
import { findProgram } from '../findProgram.ts';
import { namePrefix } from '../../base/temporaryFiles.ts';
import { hardMemoryBytes, type Limits } from '../limits.ts';
import { agentCommand, AGENT_OVERHEAD_BYTES, baseMounts, pythonMounts } from '../runtimes.ts';
import { SandboxError, type Tier } from '../types.ts';
import { inBwrap } from './inBwrap.ts';

/** Bubblewrap itself, outside and as the first process inside. */
const BWRAP_PROCESSES = 2;

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
  await sweepControlGroups();
  const python = pythonMounts();
  return {
    name: 'bwrap',
    languages: python.length > 0 ? ['javascript', 'python'] : ['javascript'],
    description: 'Node and Python in Linux namespaces made by bubblewrap',
    overheadBytes: AGENT_OVERHEAD_BYTES,
    prepare: async () => {
      const group = makeControlGroup(`${namePrefix('sandbox')}${randomUUID()}`, {
        memoryBytes: hardMemoryBytes(limits, AGENT_OVERHEAD_BYTES),
        processes: limits.processes + BWRAP_PROCESSES,
      });
      const launch = inBwrap(path, { limits, mounts: [...baseMounts(), ...python], command: agentCommand(limits) });
      return { ...launch, adopt: group?.adopt, cleanUp: group?.remove };
    },
  };
}
