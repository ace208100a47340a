import { afterAll, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readApiConfig } from '../../api/config.ts';
import { makeFolder } from '../support/folder.ts';

const least = { DATABASE_URL: 'postgres://127.0.0.1/ledgerline' };
const folder = await makeFolder();
await writeFile(join(folder.path, 'notes.txt'), 'no certificate');
afterAll(() => folder.remove());

describe('readApiConfig', () => {
  test('returns the defaults of .env.example when every other variable is empty', () => {
    const empty = [
      'HOST',
      'PORT',
      'PUBLIC_URL',
      'MODEL_CATALOG_FILE',
      'LOG_LEVEL',
      'TLS_CERT_FILE',
      'DEFAULT_RPM_LIMIT',
    ];
    const config = readApiConfig({ ...least, ...Object.fromEntries(empty.map((name) => [name, ''])) });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      publicUrl: 'http://127.0.0.1:4000',
      catalogFile: expect.stringMatching(/catalog\.json$/),
      logLevel: 'info',
      tls: null,
      defaultRpmLimit: 600,
      defaultConcurrencyLimit: 20,
    });
  });

  test.each([
    ['0.0.0.0', 'http://127.0.0.1:4710'],
    ['::', 'http://[::1]:4710'],
    ['::1', 'http://[::1]:4710'],
    ['api.example', 'http://api.example:4710'],
  ])('derives a usable public address when it listens on %s', (HOST, publicUrl) => {
    expect(readApiConfig({ ...least, HOST, PORT: '4710' })).toMatchObject({ host: HOST, publicUrl });
  });

  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PUBLIC_URL', 'api.example'],
    ['PUBLIC_URL', 'ftp://api.example'],
    ['LOG_LEVEL', 'loud'],
    ['DEFAULT_RPM_LIMIT', '0'],
    ['DEFAULT_CONCURRENCY_LIMIT', '1.5'],
    ['LEDGER_LEASE_MS', '1'],
    ['NETWORK_FEE_PERCENTAGE', '101'],
    ['EARNINGS_MATURE_DAYS', '366'],
    ['OPEN_RUNS_MAX', '0'],
    ['LIMITS_REDIS_URL', 'somewhere'],
    ['DATABASE_URL', ''],
    ['DATABASE_URL', 'mysql://127.0.0.1/x'],
    ['UPSTREAM_IDLE_TIMEOUT_MS', 'soon'],
    ['EMBEDDED_SPEECH_THREADS', '0'],
  ])('throws an error that names %s when it is "%s"', (name, value) => {
    expect(() => readApiConfig({ ...least, [name]: value })).toThrow(name);
  });

  test('throws an error that names a missing or invalid certificate file', () => {
    const missing = join(folder.path, 'missing.pem');
    const notes = join(folder.path, 'notes.txt');
    expect(() => readApiConfig({ ...least, TLS_CERT_FILE: notes })).toThrow('TLS_KEY_FILE is not set');
    expect(() => readApiConfig({ ...least, TLS_CERT_FILE: missing, TLS_KEY_FILE: notes })).toThrow(
      `TLS_CERT_FILE cannot be read: ENOENT: no such file or directory, open '${missing}'`,
    );
    expect(() => readApiConfig({ ...least, TLS_CERT_FILE: notes, TLS_KEY_FILE: notes })).toThrow(
      'TLS_CERT_FILE and TLS_KEY_FILE are no certificate and its key, in PEM',
    );
  });
});
