import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasImage, npmFolder, podman } from './podman.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const DEBIAN = 'localhost/proof-debian';
const NODE = 'localhost/proof-node';
/** Where parts of others run: a small Debian with Redis. */
export const PARTS = 'localhost/proof-parts';

/**
 * Builds our image with this machine's podman. Its bases are made of Debian's packages and of the Node that runs the tests, because an engine
 * may reach no registry of images; everything else is what the Dockerfile says.
 */
export async function buildImage(name: string, args: Record<string, string>, workDir: string): Promise<void> {
  await makeBases(workDir);
  const dockerfile = (await readFile(join(root, 'Dockerfile'), 'utf8'))
    .replaceAll(/^FROM node:\S+/gm, `FROM ${NODE}`)
    .replaceAll(/^FROM debian:\S+/gm, `FROM ${DEBIAN}`);
  await writeFile(join(workDir, 'Dockerfile'), dockerfile);
  const flags = Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]);
  await podman('build', '--quiet', '--tag', name, ...flags, '--file', join(workDir, 'Dockerfile'), root);
}

async function makeBases(workDir: string): Promise<void> {
  if (!(await hasImage(DEBIAN))) await makeDebian(join(workDir, 'debian'));
  if (!(await hasImage(NODE))) await makeNode(join(workDir, 'node'));
  if (!(await hasImage(PARTS)))
    await build(PARTS, join(workDir, 'parts'), [
      `FROM ${DEBIAN}`,
      'RUN apt-get update && apt-get install -y --no-install-recommends redis-server',
    ]);
}

/** Like `debian:bookworm-slim`, with the authorities that this machine trusts: packages may come through its proxy. */
async function makeDebian(folder: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', 'bookworm', folder], { maxBuffer: 64 * 1024 * 1024 });
  for (const path of ['var/lib/apt/lists', 'var/cache/apt', 'usr/share/doc', 'usr/share/man', 'usr/share/locale'])
    await rm(join(folder, path), { recursive: true, force: true });
  await cp(AUTHORITIES, join(folder, 'etc/authorities.pem'));
  await writeFile(join(folder, 'etc/pip.conf'), '[global]\ncert = /etc/authorities.pem\n');
  await run('sh', ['-c', `tar -C ${folder} -c . | podman import --quiet - ${DEBIAN}`], { maxBuffer: 64 * 1024 * 1024 });
  await rm(folder, { recursive: true, force: true });
}

async function makeNode(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp(join(root, 'node_modules/node/bin/node'), join(folder, 'node'), { dereference: true });
  await cp(npmFolder(), join(folder, 'npm'), { recursive: true, dereference: true });
  await build(NODE, folder, [
    `FROM ${DEBIAN}`,
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    'ENV NODE_EXTRA_CA_CERTS=/etc/authorities.pem',
  ]);
}

async function build(name: string, folder: string, lines: string[]): Promise<void> {
  if (!existsSync(folder)) await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
  await podman('build', '--quiet', '--tag', name, folder);
}
