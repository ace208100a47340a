import { expect, test } from '@jest/globals';
import { stackConfigOf } from '../../../ops/stack/config.ts';

test('without any variable everything is started here, on loopback and port 4000', () => {
  expect(stackConfigOf({ env: {} })).toMatchObject({
    host: '127.0.0.1',
    port: 4000,
    hasEmbeddedModel: true,
    temporalNamespace: 'default',
    apiProcesses: 1,
    limitsUrl: undefined,
    databaseUrl: undefined,
    temporalAddress: undefined,
  });
});

test('an empty value counts as unset', () => {
  expect(stackConfigOf({ env: { PORT: '', DATABASE_URL: '' } })).toMatchObject({ port: 4000, databaseUrl: undefined });
});

test('the parts that it starts listen on the ports that are set', () => {
  const env = { EMBEDDED_PORT: '4101', TEST_PAYMENTS_PORT: '4102' };
  expect(stackConfigOf({ env })).toMatchObject({ embeddedPort: 4101, testPaymentsPort: 4102 });
});

test.each([
  ['PORT', 'abc', 'PORT: must be a whole number from 0 to 65535, not "abc"'],
  ['PORT', '70000', 'PORT: must be a whole number from 0 to 65535'],
  ['DATABASE_URL', 'mysql://x', 'DATABASE_URL: must be an address like postgres://user:password@host/database'],
  ['MIGRATION_DATABASE_URL', 'postgres://owner@x/y', 'MIGRATION_DATABASE_URL: set DATABASE_URL too'],
  ['TEMPORAL_ADDRESS', 'http://x', 'TEMPORAL_ADDRESS: must be host:port'],
  ['TEMPORAL_ADDRESS', 'localhost:99999', 'TEMPORAL_ADDRESS: must be host:port'],
  ['EMBEDDED_MODEL', 'maybe', 'EMBEDDED_MODEL: must be one of on, off, not "maybe"'],
  ['EMBEDDED_URL', 'here', 'EMBEDDED_URL: must be an address like http://host:4100/v1'],
  ['BOOTSTRAP_API_KEY', 'secret', 'BOOTSTRAP_API_KEY: must be sk_live_ and at least 24 letters and digits'],
  ['PLUGIN_SECRETS_KEY', 'c2hvcnQ=', 'PLUGIN_SECRETS_KEY: must be 32 random bytes in base64'],
  ['BATCH_CONCURRENCY', 'many', 'BATCH_CONCURRENCY: must be a whole number'],
  ['SMTP_URL', 'mail.example.com', 'SMTP_URL: '],
  ['BOOTSTRAP_CREDIT_USD', '-1', 'BOOTSTRAP_CREDIT_USD: must be an amount in US dollars, such as 25'],
])('%s=%s stops the start with an error that names it', (name, value, sentence) => {
  expect(() => stackConfigOf({ env: { [name]: value } })).toThrow(sentence);
});

test('all invalid values are named at once', () => {
  expect(() => stackConfigOf({ env: { PORT: 'x', EMBEDDED_MODEL: 'y' } })).toThrow(/PORT: .*; EMBEDDED_MODEL: /);
});

test('a certificate without its key stops the start', () => {
  expect(() => stackConfigOf({ env: { TLS_CERT_FILE: 'a.pem' } })).toThrow('TLS_KEY_FILE');
});

test('one port for both listeners stops the start', () => {
  const files = { TLS_CERT_FILE: 'a.pem', TLS_KEY_FILE: 'b.pem' };
  expect(() => stackConfigOf({ env: { ...files, PORT: '4443' } })).toThrow('TLS_PORT: must be another port than PORT');
  expect(stackConfigOf({ env: { ...files, PORT: '0', TLS_PORT: '0' } })).toMatchObject({ port: 0, tlsPort: 0 });
});
