import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copySecrets, keepKeys, type KeyFile, restoreSecrets } from '../../../ops/stack/backup/secrets.ts';

const KEY_FILES: KeyFile[] = ['pluginSecretsKey', 'catalogSecretsKey', 'contentsKey'];
const NAME = 'backup-20261127T180000Z';

let folder: string;
let dataDir: string;
let backupDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-secrets-'));
  [dataDir, backupDir] = [join(folder, 'data'), join(folder, 'backups')];
  mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres/password'), 'first');
  writeFileSync(join(dataDir, 'postgres/applicationPassword'), 'second');
  for (const name of KEY_FILES) writeFileSync(join(dataDir, name), `OLD-${name}\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = () => copySecrets(dataDir, join(backupDir, NAME));
const start = () => Promise.all(KEY_FILES.map((name) => keepKeys({ dataDir, backupDir }, name)));
const restore = () => restoreSecrets(backupDir, NAME, dataDir);
const write = (file: string, text: string) => writeFileSync(join(dataDir, file), text);
const read = (file: string) => readFileSync(join(dataDir, file), 'utf8').trim();
const loseMachine = () => rmSync(dataDir, { recursive: true });

describe('a restore of a backup', () => {
  test('brings back all secrets of a lost machine', async () => {
    await create();
    loseMachine();
    await restore();
    expect([read('postgres/password'), read('postgres/applicationPassword')]).toEqual(['first', 'second']);
    expect(read('contentsKey')).toBe('OLD-contentsKey');
    expect(statSync(join(dataDir, 'contentsKey')).mode & 0o777).toBe(0o600);
  });

  test('keeps the passwords of an existing installation', async () => {
    await create();
    write('postgres/password', 'newer');
    await restore();
    expect(read('postgres/password')).toBe('newer');
  });

  test('from before a rotation that was finished also has the keys from before', async () => {
    await create();
    write('pluginSecretsKey', 'NEW\n');
    await restore();
    expect(read('pluginSecretsKey')).toBe('NEW,OLD-pluginSecretsKey');
    expect(read('contentsKey')).toBe('OLD-contentsKey');
  });

  test('from before a rotation has the new keys too when the machine is lost', async () => {
    await start();
    await create();
    write('contentsKey', 'NEW,OLD-contentsKey\n');
    await start();
    write('contentsKey', 'NEWEST, NEW\n');
    await start();
    loseMachine();
    await restore();
    expect(read('contentsKey')).toBe('NEWEST,NEW,OLD-contentsKey');
    expect(read('catalogSecretsKey')).toBe('OLD-catalogSecretsKey');
  });

  test('of an installation whose keys are in the environment makes no files of keys', async () => {
    for (const name of KEY_FILES) rmSync(join(dataDir, name));
    await create();
    await restore();
    expect(() => read('pluginSecretsKey')).toThrow('ENOENT');
  });
});
