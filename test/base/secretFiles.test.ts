import { afterAll, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readVariables, withSecrets } from '../../base/environment.ts';
import { textOf } from '../../base/secretFiles.ts';
import { makeFolder } from '../support/folder.ts';

const folder = await makeFolder();
const path = join(folder.path, 'database_url');
await writeFile(path, 'postgres://app:secret@127.0.0.1/ledgerline\n');
afterAll(() => folder.remove());

describe('a secret in a file', () => {
  test('is read without its line end, and checked like any value', async () => {
    const { DATABASE_URL } = readVariables({ DATABASE_URL_FILE: path }, ['DATABASE_URL']);
    expect(DATABASE_URL).toBe('postgres://app:secret@127.0.0.1/ledgerline');
    const wrong = join(folder.path, 'wrong');
    await writeFile(wrong, 'mysql://app:secret@127.0.0.1');
    expect(() => readVariables({ DATABASE_URL_FILE: wrong }, ['DATABASE_URL'])).toThrow(
      /^DATABASE_URL: must be an address/,
    );
  });

  test('counts as unset when the file is empty', async () => {
    const empty = join(folder.path, 'empty');
    await writeFile(empty, '\n');
    expect(readVariables({ SMTP_URL_FILE: empty }, ['SMTP_URL']).SMTP_URL).toBeUndefined();
    expect(() => readVariables({ DATABASE_URL_FILE: empty }, [], ['DATABASE_URL'])).toThrow('DATABASE_URL: is not set');
  });

  test('is refused beside a value of its own, and when it cannot be read', () => {
    const both = { DATABASE_URL: 'postgres://127.0.0.1/a', DATABASE_URL_FILE: path };
    expect(() => readVariables(both, ['DATABASE_URL'])).toThrow('DATABASE_URL: is set, and so is DATABASE_URL_FILE');
    const missing = { DATABASE_URL_FILE: join(folder.path, 'missing') };
    expect(() => readVariables(missing, ['DATABASE_URL'])).toThrow('DATABASE_URL_FILE: cannot be read (ENOENT)');
  });

  test('may hold a key that the catalogue names', () => {
    expect(textOf({ VENDOR_KEY_FILE: path }, 'VENDOR_KEY')).toMatch(/^postgres:/);
    expect(textOf({ VENDOR_KEY: 'plain' }, 'VENDOR_KEY')).toBe('plain');
  });

  test('becomes a value in the environment of child processes', () => {
    const env = withSecrets({ DATABASE_URL_FILE: path, TLS_KEY_FILE: 'key.pem' });
    expect(env.DATABASE_URL).toMatch(/^postgres:/);
    expect(env.DATABASE_URL_FILE).toBeUndefined();
    expect(env.TLS_KEY_FILE).toBe('key.pem');
  });
});
