import type { Limits } from '../limits.ts';
import type { Mount } from '../runtimes.ts';
import type { Launch } from '../types.ts';
import { withLimits } from '../withLimits.ts';
import { seccompFilter } from './seccomp.ts';

const NOBODY_ID = 65_534;
const DEVICES = ['/dev/null', '/dev/zero', '/dev/urandom'];
const FILTER_FD = 3;

/**
 * The command line that starts a program inside bubblewrap: new namespaces, no network, no /proc, a read-only root with the given mounts,
 * a work folder in memory of the disk limit's size, and a system-call filter. A worker that is root starts it as the user nobody: root in
 * a namespace of its own is still root for the kernel's counters.
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
