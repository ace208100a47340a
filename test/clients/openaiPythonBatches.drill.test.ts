import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setBatchStage, type BatchStage } from '../support/batchStage.ts';
import { embeddingModel, textModel } from '../support/startApi.ts';
import { installVenv, runPython } from './pythonVenv.ts';
import { describeWithPython } from './withPython.ts';

const timeoutMs = 1_200_000;

describeWithPython('the official Python client', () => {
  let stage: BatchStage;
  let python: string;

  beforeAll(async () => {
    python = await installVenv('venv', 'requirements.txt');
    stage = await setBatchStage();
    await stage.startWorker();
  }, timeoutMs);
  afterAll(() => stage?.close());

  test('runs a batch from its file to its answers', async () => {
    const { secret } = await stage.account({ scopes: ['batch'] });
    const { status, output } = await runPython(python, ['batch_round_trip.py'], {
      BASE_URL: `${stage.api.url}/textapi/v1`,
      API_KEYS: JSON.stringify({ funded: secret }),
      TEXT_MODEL: textModel,
      EMBEDDING_MODEL: embeddingModel,
    });
    if (status !== 0) throw new Error(output);
    expect(output).toContain('The batch went there and back.');
  });
});
