import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { leash } from './leash.ts';

const run = promisify(execFile);
const CONTROL_GROUPS = '/sys/fs/cgroup/blkio';
const SIZE_BYTES = 500_000_000;

/**
 * A separate disk, whose writes the kernel delays for the processes placed on it. Undefined if this user may not mount one, or the kernel
 * has no control group for disks (`blkio`).
 */
export async function mountSlowDisk() {
  const place = await mkdtemp(join(tmpdir(), 'ledgerline-disk-'));
  const [image, folder] = [join(place, 'image'), join(place, 'disk')];
  const group = join(CONTROL_GROUPS, `ledgerline-${process.pid}`);
  // PostgreSQL ends soon after a killed test.
  const remove = leash([
    `umount -l ${folder}`,
    `for try in $(seq 60); do [ -d ${group} ] || break; rmdir ${group} || sleep 1; done`,
    `rm -r ${place}`,
  ]);
  try {
    await writeFile(image, '');
    await truncate(image, SIZE_BYTES);
    await mkdir(folder);
    await run('mkfs.ext4', ['-q', image]);
    await run('mount', ['-o', 'loop', image, folder]);
    await mkdir(group);
  } catch {
    await remove();
    return undefined;
  }
  const { stdout } = await run('losetup', ['-n', '-O', 'MAJ:MIN', '-j', image]);
  const device = stdout.trim();
  const limit = (bytesPerSecond: number): Promise<void> =>
    writeFile(join(group, 'blkio.throttle.write_bps_device'), `${device} ${bytesPerSecond}\n`);
  return {
    folder,
    /** Places a process and its later children on the disk. */
    place: (pid: number) => writeFile(join(group, 'cgroup.procs'), String(pid)),
    /** Writes this many bytes a second. */
    slow: limit,
    quicken: () => limit(0),
    /** Unmounts it; no process may have an open file there. */
    remove,
  };
}
