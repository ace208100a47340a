import { expect, test } from '@jest/globals';
import { readConfig } from '../../engines/config.ts';

test('by default the process listens on loopback, on any port, with one thread', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 0, threads: 1, modelFileIsChosen: false });
});

test('an invalid value is named in the error', () => {
  expect(() => readConfig({ EMBEDDED_QUEUE_MAX: 'many' })).toThrow('EMBEDDED_QUEUE_MAX');
  expect(() => readConfig({ EMBEDDED_CONTEXT_TOKENS: '1' })).toThrow('EMBEDDED_CONTEXT_TOKENS');
});

test("the operator's file is read at its own path", () => {
  const config = readConfig({ EMBEDDED_MODEL_FILE: '/models/own.gguf' });
  expect(config).toMatchObject({ modelFile: '/models/own.gguf', modelFileIsChosen: true });
});
