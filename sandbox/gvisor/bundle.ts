import { hardMemoryBytes, type Limits } from '../limits.ts';
import type { Mount } from '../runtimes.ts';

const NOBODY_ID = 65_534;
const OPEN_FILES_MAX = 256;
const HOST_THREADS_PER_PROCESS = 4;
/** Memory of gVisor and the agent besides the program's. */
export const GVISOR_OVERHEAD_BYTES = 256 * 1_048_576;

/** The container of one call, in the Open Container Initiative's runtime specification 1.0. `root` must be absolute. */
export function containerOf({
  root,
  groupPath,
  limits,
  mounts,
  command,
}: {
  root: string;
  /** Its control group; without one, only the worker's own count bounds its memory. */
  groupPath: string | undefined;
  limits: Limits;
  mounts: Mount[];
  command: string[];
}): object {
  const rlimit = (type: string, soft: number, hard = soft) => ({ type: `RLIMIT_${type}`, soft, hard });
  const none: string[] = [];
  const cpuS = Math.ceil(limits.cpuMs / 1_000);
  return {
    ociVersion: '1.0.2',
    hostname: 'sandbox',
    root: { path: root, readonly: true },
    process: {
      terminal: false,
      user: { uid: NOBODY_ID, gid: NOBODY_ID },
      args: command,
      env: none,
      cwd: '/work',
      capabilities: { bounding: none, effective: none, inheritable: none, permitted: none, ambient: none },
      rlimits: [
        rlimit('CPU', cpuS, cpuS + 2),
        rlimit('NOFILE', OPEN_FILES_MAX),
        rlimit('NPROC', limits.processes),
        rlimit('CORE', 0),
      ],
      noNewPrivileges: true,
    },
    mounts: [
      ...mounts.map(({ source, target }) => ({ type: 'bind', source, destination: target, options: ['ro', 'rbind'] })),
      { type: 'tmpfs', source: 'tmpfs', destination: '/work', options: workOptions(limits) },
      // Otherwise gVisor mounts one that is limited by memory alone.
      { type: 'tmpfs', source: 'tmpfs', destination: '/tmp', options: ['ro'] },
    ],
    linux: {
      cgroupsPath: groupPath,
      namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      resources: {
        memory: { limit: hardMemoryBytes(limits, GVISOR_OVERHEAD_BYTES) },
        // Host threads, several of which serve one process of the program.
        pids: { limit: limits.processes * HOST_THREADS_PER_PROCESS },
        cpu: { quota: 100_000, period: 100_000 },
      },
    },
  };
}

const workOptions = ({ diskBytes }: Limits) => [
  `size=${diskBytes}`,
  'mode=0700',
  `uid=${NOBODY_ID}`,
  `gid=${NOBODY_ID}`,
];
