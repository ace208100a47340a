import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, test } from '@jest/globals';
import { makeRecogniser } from '../support/sound.ts';
import { embeddingModel, textModel } from '../support/startApi.ts';
import { startClientStage, type ClientStage } from './clientStage.ts';
import { installVenv, runPython } from './pythonVenv.ts';
import { describeWithPython } from './withPython.ts';

const scripts = join(import.meta.dirname, 'python');
const timeoutMs = 1_200_000;
const files = readdirSync(scripts).filter((name) => name.startsWith('test_'));

describeWithPython('the official Python client', () => {
  let stage: ClientStage;
  let run: { status: number | null; output: string };

  // One process for all files: importing the client takes longer than most of its tests.
  beforeAll(async () => {
    const [python] = await Promise.all([installVenv('venv', 'requirements.txt'), makeRecogniser()]);
    stage = await startClientStage();
    const modules = files.map((file) => basename(file, '.py'));
    run = await runPython(python, ['-m', 'unittest', '-v', ...modules], {
      BASE_URL: stage.baseUrl,
      API_KEYS: JSON.stringify(stage.keys),
      TEXT_MODEL: textModel,
      EMBEDDING_MODEL: embeddingModel,
    });
  }, timeoutMs);
  afterAll(() => stage?.stop());

  test.each(files)('passes all tests in %s', (file) => {
    const named = (start: string) =>
      run.output.match(new RegExp(`^${start}\\w+ \\(${basename(file, '.py')}\\.`, 'gm')) ?? [];
    if (named('').length === 0 || named('(?:FAIL|ERROR): ').length > 0) throw new Error(run.output);
  });

  test('ends without an error outside its tests', () => {
    if (run.status !== 0) throw new Error(run.output);
  });
});
