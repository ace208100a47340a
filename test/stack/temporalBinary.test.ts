import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { join } from 'node:path';
import { findTemporalBinary } from '../../stack/temporalBinary.ts';
import { type TestFolder, makeFolder } from '../support/folder.ts';

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

test('the machine’s own program is used before anything is fetched', async () => {
  const own = await makeProgram(join(folder.path, 'usr'));
  const searchPath = `/nowhere:${join(folder.path, 'usr')}`;
  expect(await findTemporalBinary({ binDir, searchPath, onProgress: () => {} })).toBe(own);
});

test('a program that was kept is used again', async () => {
  const kept = await makeProgram(binDir);
  expect(await findTemporalBinary({ binDir, searchPath: '', onProgress: () => {} })).toBe(kept);
});

test('a fetched program is unpacked, kept, and its progress told', async () => {
  await makeProgram(join(folder.path, 'made'));
  const archive = execFileSync('tar', ['-czf', '-', '-C', join(folder.path, 'made'), 'temporal']);
  const server = createServer((_request, response) => response.end(archive));
  const archivesUrl = await listen(server);
  const told: string[] = [];
  try {
    const path = await findTemporalBinary({
      binDir,
      searchPath: '',
      onProgress: (text) => told.push(text),
      archivesUrl,
    });
    expect(await readFile(path, 'utf8')).toBe(script);
  } finally {
    server.close();
  }
  expect(await readdir(binDir)).toEqual(['temporal']);
  expect(told.at(-1)).toMatch(/^fetching Temporal's program: 100 %/);
});

test('with neither a download nor Go a sentence says what to do, and nothing half made is kept', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end());
  const archivesUrl = await listen(server);
  try {
    const finding = findTemporalBinary({ binDir, searchPath: '/nowhere', onProgress: () => {}, archivesUrl });
    await expect(finding).rejects.toThrow(
      /install it from https:\/\/docs\.temporal\.io\/cli, or install Go, or set TEMPORAL_ADDRESS/,
    );
  } finally {
    server.close();
  }
  expect(await readdir(binDir)).toEqual([]);
});

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as { port: number }).port}`));
  });
}
