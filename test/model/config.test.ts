import { expect, test } from '@jest/globals';
import { readConfig } from '../../model/config.ts';

test('a bare environment listens on loopback, on any port, with one thread', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 0, threads: 1, modelFileIsChosen: false });
});

test('a value that is not usable is named', () => {
  expect(() => readConfig({ EMBEDDED_QUEUE_MAX: 'many' })).toThrow('EMBEDDED_QUEUE_MAX');
  expect(() => readConfig({ EMBEDDED_CONTEXT_TOKENS: '1' })).toThrow('EMBEDDED_CONTEXT_TOKENS');
});

test('a file of the operator is read where it is', () => {
  const config = readConfig({ EMBEDDED_MODEL_FILE: '/models/own.gguf' });
  expect(config).toMatchObject({ modelFile: '/models/own.gguf', modelFileIsChosen: true });
});
