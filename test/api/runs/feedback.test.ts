import { afterAll, describe, expect, test } from '@jest/globals';
import { FeedbackAnswer } from '../../../api/runs/runAnswers.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { errorOf, read, setRunRouteStage, writer } from '../../support/runRouteStage.ts';

const stage = await setRunRouteStage();
afterAll(() => stage.close());

const pathOf = (id: string) => `/v1/runs/${id}/feedback`;
const put = (id: string, body: object, key = stage.mine.secret) => stage.call(pathOf(id), { method: 'PUT', body, key });

describe('/v1/runs/{run_id}/feedback', () => {
  test('is JSON null at first, then the latest feedback, and null again after its deletion', async () => {
    const run = await stage.create({ source: 'chat' });
    const none = await stage.call(pathOf(run.id));
    expect(none.headers.get('content-type')).toContain('application/json');
    expect(await read(none, 200)).toBeNull();
    const given = await read(await put(run.id, { outcome: 'complete', reason: 'Good.' }), 200);
    expect(given).toEqual({
      id: expect.stringMatching(/^fb_[0-9A-Za-z]+$/),
      object: 'run.feedback',
      run_id: run.id,
      session_id: run.session_id,
      agent: writer,
      outcome: 'complete',
      reason: 'Good.',
      source: 'chat',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(FeedbackAnswer.parse(given)).toEqual(given);
    const changed = await read(await put(run.id, { outcome: 'partial', source: 'workstream' }), 200);
    expect(changed).toMatchObject({
      id: given.id,
      outcome: 'partial',
      reason: '',
      source: 'workstream',
      created_at: given.created_at,
    });
    expect(await read(await stage.call(pathOf(run.id)), 200)).toEqual(changed);
    for (let count = 0; count < 2; count += 1)
      expect((await stage.call(pathOf(run.id), { method: 'DELETE' })).status).toBe(204);
    expect(await read(await stage.call(pathOf(run.id)), 200)).toBeNull();
  });

  test('is separate for each caller', async () => {
    const run = await stage.create();
    const { workspaceId } = stage.mine;
    const colleague = await createKey(stage.db.everywhere, { workspaceId, name: 'colleague', scopes: ['agents'] });
    await put(run.id, { outcome: 'complete' });
    expect(await read(await stage.call(pathOf(run.id), { key: colleague.secret }), 200)).toBeNull();
  });

  test("answers 404 for another workspace's run", async () => {
    const { id } = await stage.create();
    const key = stage.other.secret;
    for (const response of [
      await stage.call(pathOf(id), { key }),
      await put(id, { outcome: 'complete' }, key),
      await stage.call(pathOf(id), { method: 'DELETE', key }),
    ])
      expect(await errorOf(response)).toMatchObject({ status: 404, code: 'run_not_found' });
  });

  test.each([
    [{ outcome: 'great' }, 'outcome'],
    [{}, 'outcome'],
    [{ outcome: 'complete', stars: 5 }, 'stars'],
  ])('refuses %j', async (body, param) => {
    const { id } = await stage.create();
    expect(await errorOf(await put(id, body))).toEqual({ status: 422, code: 'validation_error', param });
  });
});
