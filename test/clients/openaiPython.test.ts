import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeRecogniser } from '../support/recogniser.ts';
import { embeddingModel, textModel } from '../support/startApi.ts';
import { startClientStage, type ClientStage } from './clientStage.ts';
import { hasPython, installVenv, runPython } from './pythonVenv.ts';

const scripts = join(import.meta.dirname, 'python');
const setupTimeoutMs = 600_000;
const scriptTimeoutMs = 600_000;

const describeWithPython = hasPython ? describe : describe.skip;

describeWithPython('the official Python client', () => {
  let stage: ClientStage;
  let python: string;

  beforeAll(async () => {
    [python] = await Promise.all([installVenv('venv', 'requirements.txt'), makeRecogniser()]);
    stage = await startClientStage();
  }, setupTimeoutMs);
  afterAll(() => stage?.stop());

  const files = readdirSync(scripts).filter((name) => name.startsWith('test_'));
  test.each(files)(
    'is content with everything in %s',
    async (file) => {
      const { status, output } = await runPython(python, ['-m', 'unittest', '-v', file], {
        BASE_URL: stage.baseUrl,
        API_KEYS: JSON.stringify(stage.keys),
        TEXT_MODEL: textModel,
        EMBEDDING_MODEL: embeddingModel,
      });
      if (status !== 0) throw new Error(output);
      expect(output).toMatch(/Ran [1-9]\d* tests? in .*\n\nOK\n$/);
    },
    scriptTimeoutMs,
  );
});
