import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder, namePrefix, removeStaleTempFiles } from '../../base/temporaryFiles.ts';
import { findProgram } from './config.ts';
import { hasControlGroups, sweepControlGroups } from './controlGroup.ts';
import { languagesOf } from './languages.ts';
import { type Limits, hardMemoryBytes, NOBODY_ID } from './limits.ts';
import { agentCommand, baseMounts, pythonMounts, type Mount } from './runtimes.ts';
import { SandboxError, type Launch, type Tier } from './types.ts';

/** runsc's default state folder for root, with a mount shared by all containers. */
const STATE_FOLDER = '/var/run/runsc';

/**
 * The strongest tier: Node and Python on gVisor, which handles their system calls in a separate kernel. Throws `SandboxError` if runsc is
 * not installed.
 */
export async function openGvisor(limits: Limits): Promise<Tier> {
  const runsc = findProgram('runsc');
  if (!runsc) {
    throw new SandboxError(
      'gVisor is not installed: install runsc as its documentation says, or set SANDBOX_RUNSC to its path.',
    );
  }
  await sweepControlGroups();
  await removeStaleTempFiles('sandbox');
  return {
    name: 'gvisor',
    languages: languagesOf('gvisor'),
    description: 'Node and Python on gVisor',
    overheadBytes: GVISOR_OVERHEAD_BYTES,
    prepare: () => prepare(runsc, limits),
  };
}

async function prepare(runsc: string, limits: Limits): Promise<Launch> {
  const folder = await makeTemporaryFolder('sandbox');
  const root = join(folder, 'root');
  const mounts = [...baseMounts(), ...pythonMounts()];
  const id = randomUUID();
  await mkdir(root);
  const hasGroups = hasControlGroups();
  const container = containerOf({
    root,
    groupPath: hasGroups ? `/${namePrefix('sandbox')}${id}` : undefined,
    limits,
    mounts,
    command: agentCommand(limits),
  });
  await writeFile(join(folder, 'config.json'), JSON.stringify(container));
  const isRoot = process.getuid?.() === 0;
  const state = isRoot ? STATE_FOLDER : join(folder, 'state');
  const flags = ['--network=none', '--platform=systrap', '--host-uds=none', `--root=${state}`];
  if (!isRoot) flags.push('--rootless');
  if (!hasGroups) flags.push('--ignore-cgroups');
  return {
    command: [runsc, ...flags, 'run', `--bundle=${folder}`, id],
    cleanUp: async () => {
      await execute(runsc, [...flags, 'delete', '--force', id]);
      // A container that was killed during its start is unknown to runsc, but has a lock.
      await rm(join(state, `${id}_sandbox:${id}.lock`), { force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// A container that is already gone is not an error.
const execute = (file: string, args: string[]) =>
  new Promise<void>((resolve) => {
    execFile(file, args, { env: {} }, () => resolve());
  });

const OPEN_FILES_MAX = 256;
const HOST_THREADS_PER_PROCESS = 4;
/** Memory of gVisor and the agent besides the program's. */
const GVISOR_OVERHEAD_BYTES = 256 * 1_048_576;

/** The container of one call, in the Open Container Initiative's runtime specification 1.0. `root` must be absolute. */
function containerOf({
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
      // Otherwise gVisor mounts one that is limited only by memory.
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
