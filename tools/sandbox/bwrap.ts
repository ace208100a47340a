import { randomUUID } from 'node:crypto';
import { namePrefix } from '../../base/temporaryFiles.ts';
import { seccompFilter } from './seccomp.ts';
import { findProgram } from './config.ts';
import { makeControlGroup, sweepControlGroups } from './controlGroup.ts';
import { languagesOf } from './languages.ts';
import { hardMemoryBytes, type Limits, withLimits, NOBODY_ID } from './limits.ts';
import { agentCommand, AGENT_OVERHEAD_BYTES, baseMounts, pythonMounts, type Mount } from './runtimes.ts';
import { SandboxError, type Tier, type Launch } from './types.ts';

/** Bubblewrap's own processes: the one on the host, and the first one inside. */
const BWRAP_PROCESSES = 2;

/**
 * The second tier: Node and Python in a jail of Linux namespaces. Their system calls still reach the host's kernel. Throws `SandboxError`
 * if bubblewrap is not installed.
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
    languages: languagesOf('bwrap'),
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

const DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom'];
const FILTER_FD = 3;

/**
 * The command line that starts a program inside bubblewrap: new namespaces, no network, no /proc, a read-only root with the given mounts, a
 * work folder in memory of the disk limit's size, and a system-call filter. A worker that runs as root starts it as the user `nobody`: the
 * kernel's counters treat root in a namespace as root.
 */
export function inBwrap(
  path: string,
  { limits, mounts, command }: { limits: Limits; mounts: Mount[]; command: string[] },
): Launch {
  const filter = seccompFilter(process.arch);
  const words = (text: string) => text.split(' ');
  const args = [
    words('--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --clearenv'),
    words(`--uid ${NOBODY_ID} --gid ${NOBODY_ID} --hostname sandbox`),
    filter ? words(`--seccomp ${FILTER_FD}`) : [],
    ...mounts.map(({ source, target }) => ['--ro-bind', source, target]),
    ...DEVICES.map((device) => ['--dev-bind', device, device]),
    words(`--perms 0700 --size ${limits.diskBytes} --tmpfs /work --remount-ro / --chdir /work --`),
    withLimits(limits, { isJailed: true }, command),
  ];
  return { command: [path, ...args.flat()], fd3: filter, userId: process.getuid?.() === 0 ? NOBODY_ID : undefined };
}
