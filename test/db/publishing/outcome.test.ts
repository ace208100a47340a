import { afterAll, expect, test } from '@jest/globals';
import { sendBillingMails } from '../../../activities/billingMails.ts';
import { moveDeployment, type DeploymentMove } from '../../../db/publishing/moveDeployment.ts';
import { newId } from '../../../db/ids.ts';
import type { Mail } from '../../../providers/mail/mailer.ts';
import { setPublishingStage } from './publishingStage.ts';

const stage = await setPublishingStage();
afterAll(() => stage.close());

const FINDING = {
  source: 'operator' as const,
  severity: 'blocking' as const,
  code: 'operator_remark',
  path: '/instructions',
  message: 'Say what happens when the log has gaps.',
};

/** Decides a new submission of a workspace with people in all roles. Returns the mails and the event. */
async function decide(move: DeploymentMove, message = FINDING.message) {
  const { db } = stage;
  const agent = await stage.makeAgent();
  const deploymentId = await agent.submitted();
  const { rows } = await db.pool.query('select workspace_id from deployments where id = $1', [deploymentId]);
  const { workspace_id: workspaceId } = rows[0] as { workspace_id: string };
  for (const role of ['owner', 'developer', 'finance', 'publisher'])
    await db.everywhere.transaction(async ({ em, User, Member }) => {
      const userId = newId('user');
      await em.insert(User, {
        id: userId,
        name: role,
        email: `${role}@${userId.toLowerCase()}.example`,
        emailVerified: true,
      });
      await em.insert(Member, { id: newId('mem'), workspaceId, userId, role });
    });
  const by = { operatorKeyId: 'key_o', requestId: newId('req') };
  await moveDeployment(db.everywhere, { deploymentId, move, feedback: [{ ...FINDING, message }], by });
  const sent: Mail[] = [];
  const mailer = { sendMail: async (mail: Mail) => void sent.push(mail) };
  const noted = { onProgress: () => {}, onFailure: (error: unknown) => expect(error).toBeUndefined() };
  await sendBillingMails({ everywhere: db.everywhere, mailer, ...noted });
  const events = await db.pool.query(
    `select type, data from platform_events where workspace_id = $1 and type like 'deployment.%'`,
    [workspaceId],
  );
  return { sent, events: events.rows as { type: string; data: object }[], deploymentId };
}

test('a request for changes is mailed to owners and publishers, with the words and the fields', async () => {
  const { sent, events, deploymentId } = await decide('request_changes');
  expect(new Set(sent.map(({ to }) => to.split('@')[0]))).toEqual(new Set(['owner', 'publisher']));
  expect(sent[0]!.subject).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+ needs changes$/);
  expect(sent[0]!.text).toMatch(/^Version \d{4}-\d\d-\d\d of your agent/);
  expect(sent[0]!.text).toContain('- To change (/instructions): Say what happens when the log has gaps.');
  expect(events).toMatchObject([
    {
      type: 'deployment.changes_requested',
      data: {
        deployment_id: deploymentId,
        status: 'changes_requested',
        agent: expect.stringContaining('/'),
        agent_id: expect.stringMatching(/^agent_/),
        version: expect.stringMatching(/^\d{4}-/),
        version_number: 1,
        version_id: expect.stringMatching(/^aver_/),
        reason: FINDING.message,
        links: { deployment: `/v1/publisher/deployments/${deploymentId}` },
        findings: [{ severity: 'blocking', path: '/instructions', message: FINDING.message }],
      },
    },
  ]);
});

test('words that are cut within a character are told all the same', async () => {
  const { events } = await decide('request_changes', `x${'😀'.repeat(300)}`);
  expect(events).toMatchObject([{ data: { reason: expect.stringMatching(/^x(😀){249}\ufffd$/u) } }]);
});

test('an approval and a rejection are mailed, a withdrawal by the publisher is not', async () => {
  expect((await decide('approve')).sent[0]!.subject).toContain('was approved');
  expect((await decide('reject')).sent[0]!.subject).toContain('was rejected');
  const { sent, events } = await decide('withdraw');
  expect(sent).toEqual([]);
  expect(events).toMatchObject([{ type: 'deployment.withdrawn' }]);
});
