import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Records the statements of this release, for the next one: `npm run record:statements`, and with names of tests only those. Runs the
 * tests, and writes the statements that the product sent to its database.
 */
const OUTPUT = resolve('test/db/postgres/lastRelease.json');
const TESTS = ['test/db', 'test/flow', 'test/api', 'test/worker', 'test/activities'];

const folder = mkdtempSync(join(tmpdir(), 'statements-'));
const hook = pathToFileURL(resolve('test/support/recordStatements.mjs')).href;
const given = process.argv.slice(2);
const { status } = spawnSync('npm', ['test', '--silent', '--', ...(given.length > 0 ? given : TESTS)], {
  stdio: 'inherit',
  env: { ...process.env, RECORD_STATEMENTS: folder, NODE_OPTIONS: `--import ${hook}` },
});
const lines = readdirSync(folder).flatMap((name) =>
  readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
);
const recorded = lines.map((line) => JSON.parse(line) as { shape: string; role: string; text: string });
const byShape = new Map(recorded.map(({ shape, role, text }) => [shape, { role, text }]));
const sorted = [...byShape].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, statement]) => statement);
rmSync(folder, { recursive: true });
if (sorted.length === 0) throw new Error('the tests sent no statement');
writeFileSync(OUTPUT, `[\n${sorted.map((statement) => JSON.stringify(statement)).join(',\n')}\n]\n`);
console.log(`${sorted.length} statements in ${OUTPUT}`);
process.exitCode = status ?? 1;
