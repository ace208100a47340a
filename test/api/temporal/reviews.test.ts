import { afterAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createReviews } from '../../../api/temporal/reviews.ts';
import { moveDeployment } from '../../../db/publishing/moveDeployment.ts';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { publishAgent } from '../../support/agent.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

/** A submission that waits for its decision. */
async function submit(): Promise<string> {
  const agent = await publishAgent(db, {}, await makeAccount(db));
  const { rows } = await db.pool.query(
    `update deployments set status = 'in_review' from agents a where a.id = agent_id and a.namespace || '/' || a.slug = $1 returning deployments.id`,
    [agent],
  );
  return rows[0].id as string;
}

const orderOf = (deploymentId: string) => ({
  deploymentId,
  move: 'approve' as const,
  feedback: [],
  by: { operatorKeyId: 'key_o', requestId: newId('req') },
});

/** Reviews whose answer times out after this work was done. */
const lateReviews = (done: () => Promise<unknown>, log = pino({ enabled: false })) =>
  createReviews({
    temporal: {
      call: async () => {
        await done();
        throw new Error('deadline exceeded');
      },
    },
    everywhere: db.everywhere,
    log,
    consoleUrl: 'http://127.0.0.1:4000',
  });

test('a decision whose answer times out is still stored', async () => {
  const order = orderOf(await submit());
  await expect(lateReviews(() => moveDeployment(db.everywhere, order)).decide(order)).resolves.toBeUndefined();
});

test('a decision that lost against another one while its answer was late is a conflict', async () => {
  const [order, other] = [orderOf(await submit()), newId('req')];
  const overtake = () => moveDeployment(db.everywhere, { ...order, by: { ...order.by, requestId: other } });
  await expect(lateReviews(overtake).decide(order)).rejects.toMatchObject({ code: 'review_already_decided' });
});

test('a decision that no workflow handles is stored in the row, once', async () => {
  const order = orderOf(await submit());
  const reviews = lateReviews(async () => {});
  await reviews.decide(order);
  const { rows } = await db.pool.query('select status, move_request_id from deployments where id = $1', [
    order.deploymentId,
  ]);
  expect(rows).toEqual([{ status: 'active', move_request_id: order.by.requestId }]);
  const other = { ...order, by: { ...order.by, requestId: newId('req') } };
  await expect(reviews.decide(other)).rejects.toMatchObject({ status: 409, code: 'review_already_decided' });
});

test('a decision about a review that is over is a conflict, and no failure in the log', async () => {
  const lines: string[] = [];
  const order = orderOf(await submit());
  const decideElsewhere = async () => {
    await moveDeployment(db.everywhere, { ...order, by: { ...order.by, requestId: newId('req') } });
    throw Object.assign(new Error('started'), { name: 'WorkflowExecutionAlreadyStartedError' });
  };
  const reviews = lateReviews(decideElsewhere, pino({}, { write: (line: string) => void lines.push(line) }));
  await expect(reviews.decide(order)).rejects.toMatchObject({ code: 'review_already_decided' });
  expect(lines).toEqual([]);
});
