import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasControlGroups, sweepControlGroups } from '../controlGroup.ts';
import { findProgram } from '../findProgram.ts';
import { makeTemporaryFolder, namePrefix, removeStaleTempFiles } from '../../base/temporaryFiles.ts';
import type { Limits } from '../limits.ts';
import { agentCommand, baseMounts, pythonMounts } from '../runtimes.ts';
import { SandboxError, type Launch, type Tier } from '../types.ts';
import { containerOf, GVISOR_OVERHEAD_BYTES } from './bundle.ts';

/** The default folder of runsc's containers for root; it leaves a mount there for all of them. */
const STATE_FOLDER = '/var/run/runsc';

/**
 * The strongest tier: Node and Python on gVisor, which handles their system calls in a kernel of its own. Throws `SandboxError` where
 * runsc is not installed.
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
  const python = pythonMounts();
  return {
    name: 'gvisor',
    languages: python.length > 0 ? ['javascript', 'python'] : ['javascript'],
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

// It is no error when a container is already gone.
const execute = (file: string, args: string[]) =>
  new Promise<void>((resolve) => {
    execFile(file, args, { env: {} }, () => resolve());
  });
