import { afterAll, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTemporalSettings } from '../../base/temporalSettings.ts';
import { makeFolder } from '../support/folder.ts';

const folder = await makeFolder();
const pem = join(folder.path, 'file.pem');
await writeFile(pem, 'a certificate');
afterAll(() => folder.remove());

test('without variables Temporal is on this machine, without TLS', () => {
  expect(readTemporalSettings({})).toEqual({ address: '127.0.0.1:7233', namespace: 'default' });
});

describe('TLS', () => {
  test('is on with an API key, as Temporal Cloud expects', () => {
    const env = { TEMPORAL_ADDRESS: 'eu.api.temporal.io:7233', TEMPORAL_NAMESPACE: 'a.b', TEMPORAL_API_KEY: 'secret' };
    expect(readTemporalSettings(env)).toMatchObject({ apiKey: 'secret', tls: {} });
  });

  test('is on when asked for, with the names and files that are set', () => {
    expect(readTemporalSettings({ TEMPORAL_TLS: 'on' })).toMatchObject({ tls: {} });
    const bytes = Buffer.from('a certificate');
    expect(
      readTemporalSettings({
        TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: pem,
        TEMPORAL_TLS_CLIENT_CERT_PATH: pem,
        TEMPORAL_TLS_CLIENT_KEY_PATH: pem,
      }).tls,
    ).toEqual({
      serverNameOverride: 'temporal.internal',
      serverRootCACertificate: bytes,
      clientCertPair: { crt: bytes, key: bytes },
    });
  });

  test.each([
    [{ TEMPORAL_TLS: 'off', TEMPORAL_API_KEY: 'secret' }, 'TEMPORAL_TLS: must not be off with TEMPORAL_API_KEY'],
    [{ TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/nowhere.pem' }, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH cannot be read'],
    [{ TEMPORAL_TLS: 'maybe' }, 'TEMPORAL_TLS: must be one of on, off'],
  ])('%j is refused by name', (env, message) => {
    expect(() => readTemporalSettings(env)).toThrow(message);
  });

  test('a certificate without its key is refused', () => {
    expect(() => readTemporalSettings({ TEMPORAL_TLS_CLIENT_CERT_PATH: pem })).toThrow('belong together');
  });
});
