import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { goProgram } from './goProgram.ts';

const folder = await mkdtemp(join(tmpdir(), 'ledgerline-go-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('of several that need a Go program at once, one builds it and the others wait', async () => {
  // In the place of Go: it notes each build, and writes the program in two parts.
  const go = '#!/bin/sh\necho "$*" >> builds\nprintf one > "$GOBIN/tool"\nprintf " two" >> "$GOBIN/tool"\n';
  await writeFile(join(folder, 'go'), go.replace('builds', join(folder, 'builds')), { mode: 0o700 });
  process.env.PATH = folder + delimiter + process.env.PATH;
  const tools = join(folder, 'tools');
  const found = await Promise.all(
    [1, 2, 3].map(async () =>
      readFile(await goProgram(tools, { source: 'example.com/tool@v1', name: 'tool' }), 'utf8'),
    ),
  );
  expect(found).toEqual(['one two', 'one two', 'one two']);
  expect(await readFile(join(folder, 'builds'), 'utf8')).toBe('install example.com/tool@v1\n');
  expect(await readdir(tools)).toEqual(['tool']);
});
