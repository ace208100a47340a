import { expect, test } from '@jest/globals';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noticeIn, openLogFile } from '../../../../ops/stack/process/logFile.ts';
import { openPartLog } from '../../../../ops/stack/process/partLog.ts';
import { makeFolder } from '../../../support/folder.ts';
import { until } from '../../../support/until.ts';

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('only its owner may read a log, including one of an earlier version', async () => {
  const folder = await makeFolder();
  const [fresh, older] = ['fresh.log', 'older.log'].map((name) => join(folder.path, 'logs', name)) as [string, string];
  openLogFile(fresh)('a line');
  await writeFile(older, 'before\n');
  await chmod(older, 0o644);
  openLogFile(older)('a line');
  await until(async () => (await stat(fresh)).size > 0);
  expect([await modeOf(join(folder.path, 'logs')), await modeOf(fresh), await modeOf(older)]).toEqual([
    '700',
    '600',
    '600',
  ]);
  await folder.remove();
});

test('a log that could not be written for a while is written again, also after its file was removed', async () => {
  const folder = await makeFolder();
  const path = join(folder.path, 'logs', 'api.log');
  await mkdir(path, { recursive: true });
  const log = openLogFile(path);
  log('lost: the file cannot be opened');
  await new Promise((resolve) => setImmediate(resolve));
  await rm(path, { recursive: true });
  await until(async () => {
    log('a line');
    return (await readFile(path, 'utf8').catch(() => '')).includes('\na line\n');
  });
  await rm(path);
  log('x'.repeat(20_000_000));
  log('after');
  await until(async () => (await readFile(path, 'utf8').catch(() => '')).endsWith('after\n'));
  await folder.remove();
});

test('what the terminal says of a failure has its cause', () => {
  const line = { level: 50, msg: 'request failed', error: 'The ledger is away', cause: 'No space left on device' };
  expect(noticeIn(JSON.stringify(line))?.text).toBe('request failed: The ledger is away: No space left on device');
  const crowd = { level: 40, msg: 'database', count: 2, messages: ['a', 'b'] };
  expect(noticeIn(JSON.stringify(crowd))?.text).toBe('database: a: b');
});

test('the operator hears of warnings and of progress, and the file of a part has every line', async () => {
  const folder = await makeFolder();
  const heard: string[] = [];
  const tell = (text: string) => void heard.push(text);
  const log = openPartLog('api', { dataDir: folder.path, terminal: { say: tell, progress: tell, print: tell } });
  const lines = [
    { level: 30, msg: 'a call' },
    { level: 40, msg: 'slow' },
    { level: 30, event: 'model', msg: '40 %' },
  ];
  lines.forEach((line) => log(JSON.stringify(line)));
  expect(heard).toEqual(['[api] slow', '40 %']);
  const path = join(folder.path, 'logs', 'api.log');
  await until(async () => (await readFile(path, 'utf8').catch(() => '')).split('\n').length > lines.length);
  expect(await readFile(path, 'utf8')).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await folder.remove();
});
