import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { goProgram } from '../../support/goProgram.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
export const cacheDir = join(root, '.data', 'containers');

/** Whether a program is on the search path. */
export const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/** What makes and runs containers without an engine that serves a socket. */
export const hasPodman =
  process.getuid?.() === 0 && ['podman', 'runc', 'debootstrap', 'openssl', 'go'].every((name) => hasProgram(name));

/** runc, which runs in every layout of cgroups, with limits that a container may have even where root may not raise its own. */
function settings(): string {
  mkdirSync(cacheDir, { recursive: true });
  const path = join(cacheDir, 'containers.conf');
  writeFileSync(
    path,
    '[containers]\ndefault_ulimits = ["nofile=8192:8192", "nproc=4096:4096"]\n[engine]\nruntime = "runc"\n',
  );
  return path;
}

const environment = () => ({ ...process.env, CONTAINERS_CONF: settings() });

/** Runs `podman` with these arguments, and returns what it prints. */
export async function podman(...args: string[]): Promise<string> {
  const { stdout } = await run('podman', args, { env: environment(), maxBuffer: 256 * 1024 * 1024, cwd: root });
  return stdout.trim();
}

/** The same for `finally`: nothing is thrown. */
export const podmanQuietly = (...args: string[]): Promise<string> => podman(...args).catch(() => '');

/** Whether the image is there. */
export const hasImage = (name: string): Promise<boolean> =>
  podman('image', 'exists', name).then(
    () => true,
    () => false,
  );

/** Caddy of this version, built with Go once, which takes minutes: outside of hooks and tests, whose time has a limit. */
export const findCaddy = (version: string): Promise<string> =>
  goProgram(join(cacheDir, `caddy-${version}`), {
    source: `github.com/caddyserver/caddy/v2/cmd/caddy@v${version}`,
    name: 'caddy',
  });

/** The folder of npm on this machine. */
export const npmFolder = (): string =>
  join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');
