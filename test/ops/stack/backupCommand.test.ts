import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { requireLogIn } from '../../../ops/stack/backup/createBackup.ts';

const folder = mkdtempSync(join(tmpdir(), 'backup-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `npm run backup -- …` answers, with an empty folder of backups. */
function run(...args: string[]) {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), BACKUP_DIR: join(folder, 'backups') };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['ops/stack/backup/main.ts', ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, out: stdout.trim(), error: stderr.trim() };
}

describe('the command for backups', () => {
  test('says how it is used when asked, and for an option that it does not know', () => {
    const usage = expect.stringMatching(/^Usage: npm run backup -- create \| list/);
    expect(run('--help')).toEqual({ status: 0, out: usage, error: '' });
    expect(run('list', '--newest')).toEqual({ status: 1, out: '', error: usage });
  });

  test('says that there is nothing to show or to delete', () => {
    expect(run('list')).toEqual({ status: 0, out: 'There is no backup yet.', error: '' });
    expect(run('prune', '--keep', '7')).toMatchObject({
      status: 0,
      out: expect.stringContaining('Nothing was deleted'),
    });
  });

  test('refuses a backup in a folder where the log is not archived, from which nothing could be restored', () => {
    const [started, mistyped] = ['started', 'mistyped'].map((name) => join(folder, name)) as [string, string];
    mkdirSync(join(started, 'wal'), { recursive: true });
    writeFileSync(join(started, 'wal', '00000001000000000000000F.gz'), '');
    requireLogIn(started, '00000001000000000000000F');
    expect(() => requireLogIn(mistyped, '00000001000000000000000F')).toThrow('set the BACKUP_DIR of npm start');
  });
});
