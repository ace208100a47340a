import { afterAll, expect, test } from '@jest/globals';
import { insertAgentAlert, listAgentAlerts, type AgentAlertChoice } from '../../../db/agentAlerts/agentAlerts.ts';
import { noteAgentAlerts } from '../../../db/agentAlerts/noteAgentAlerts.ts';
import { newId } from '../../../db/ids.ts';
import { sumAgentHours } from '../../../db/publishedRuns/agentHours.ts';
import { sendBillingMails } from '../../../activities/billingMails.ts';
import type { Mail } from '../../../providers/mail/mailer.ts';
import { setTestDatabase } from '../../support/database.ts';
import { makeAgent } from '../publishedRuns/agentStage.ts';

const by = { keyId: 'key_test', requestId: 'req_test' };
const db = await setTestDatabase();
afterAll(() => db.close());

type Agent = Awaited<ReturnType<typeof makeAgent>>;

const RATE = { kind: 'failure_rate', threshold: 20, windowMinutes: 60, runsMin: 10 } as const;

async function setAlert({ agentId, workspaceId }: Agent, more: Partial<AgentAlertChoice> = {}): Promise<string> {
  const id = newId('aal');
  const chosen = { ...RATE, agentId, faults: ['agent' as const], mail: false, recipients: null, ...more };
  expect(await insertAgentAlert(db.write(workspaceId), { id, by, ...chosen })).toMatchObject({ id });
  return id;
}

const fails = { status: 'failed', code: 'output_invalid', fault: 'agent' };

/** What was told of the agent, after a check of all alerts. */
async function toldOf({ workspaceId }: Agent): Promise<string[]> {
  await noteAgentAlerts(db.everywhere);
  const { rows } = await db.pool.query<{ text: string }>(
    `select type || ' ' || (data ->> 'failures') || '/' || (data ->> 'runs') as text from platform_events
     where workspace_id = $1 and type like 'agent.%' order by created_at, id`,
    [workspaceId],
  );
  return rows.map(({ text }) => text);
}

test('a rate is told of once when it is reached, and its end when it is well below', async () => {
  const agent = await makeAgent(db);
  await setAlert(agent);
  await agent.end(8, { minutesAgo: 10 });
  await agent.end(1, { ...fails, minutesAgo: 10 });
  expect(await toldOf(agent)).toEqual([]);
  await agent.end(2, { ...fails, minutesAgo: 10 });
  for (let look = 0; look < 2; look += 1) expect(await toldOf(agent)).toEqual(['agent.failing 3/11']);
  // 17 %: below the threshold, and above four fifths of it.
  await agent.end(7, { minutesAgo: 10 });
  expect(await toldOf(agent)).toEqual(['agent.failing 3/11']);
  await agent.end(10, { minutesAgo: 10 });
  expect(await toldOf(agent)).toEqual(['agent.failing 3/11', 'agent.recovered 3/28']);
});

test('too few runs, runs before the window, other faults, cancelled runs and own ones tell nothing', async () => {
  const agent = await makeAgent(db);
  await setAlert(agent);
  await agent.end(9, { ...fails, minutesAgo: 10 });
  expect(await toldOf(agent)).toEqual([]);
  await agent.end(50, { ...fails, minutesAgo: 70 });
  await agent.end(50, { status: 'cancelled', minutesAgo: 10 });
  await agent.end(50, { ...fails, workspaceId: agent.workspaceId, minutesAgo: 10 });
  expect(await toldOf(agent)).toEqual([]);
  await agent.end(40, { ...fails, fault: 'caller', minutesAgo: 10 });
  expect(await toldOf(agent)).toEqual([]);
});

test('a number of failures is told of whatever the number of runs, over hours that are summed', async () => {
  const agent = await makeAgent(db);
  await setAlert(agent, { kind: 'failures', threshold: 12, windowMinutes: 1_440 });
  await agent.end(5, { ...fails, minutesAgo: 20 * 60 });
  await agent.end(6, { ...fails, minutesAgo: 5 });
  await agent.end(9, { ...fails, minutesAgo: 25 * 60 });
  await sumAgentHours(db.everywhere, { ...agent, budgetMs: 60_000 });
  expect(await toldOf(agent)).toEqual([]);
  await agent.end(1, { ...fails, code: 'plugin_unavailable', minutesAgo: 5 });
  expect(await toldOf(agent)).toEqual(['agent.failing 12/12']);
  const [alert] = await listAgentAlerts(db.everywhere, agent.workspaceId, null);
  expect(alert).toMatchObject({ runs: 12, failures: 12, failing: true });
});

test('concurrent checks tell of it once, and nobody else', async () => {
  const [agent, other] = [await makeAgent(db), await makeAgent(db)];
  await setAlert(agent, { runsMin: 1 });
  await setAlert(other, { runsMin: 1 });
  await agent.end(3, fails);
  await Promise.all(Array.from({ length: 4 }, () => noteAgentAlerts(db.everywhere)));
  expect(await toldOf(agent)).toEqual(['agent.failing 3/3']);
  expect(await toldOf(other)).toEqual([]);
});

test('owners and publishers get a mail with the errors, and no words of callers', async () => {
  const agent = await makeAgent(db);
  for (const role of ['owner', 'developer', 'publisher'] as const)
    await db.everywhere.transaction(async ({ em, User, Member }) => {
      const [userId, email] = [newId('user'), `${role}@${newId('m').toLowerCase()}.example`];
      await em.insert(User, { id: userId, name: role, email, emailVerified: true });
      await em.insert(Member, { id: newId('mem'), workspaceId: agent.workspaceId, userId, role });
    });
  await setAlert(agent, { mail: true });
  await agent.end(10, fails);
  await noteAgentAlerts(db.everywhere);
  const sent: Mail[] = [];
  const mailer = { sendMail: async (mail: Mail) => void sent.push(mail) };
  const noted = { onProgress: () => {}, onFailure: (error: unknown) => expect(error).toBeUndefined() };
  await sendBillingMails({ everywhere: db.everywhere, mailer, ...noted });
  expect(new Set(sent.map(({ to }) => to.split('@')[0]))).toEqual(new Set(['owner', 'publisher']));
  expect(sent[0]!.subject).toMatch(/^Runs of test\/\w+ fail$/);
  expect(sent[0]!.text).toContain('10 of 10 runs');
  expect(sent[0]!.text).toContain('in the last hour');
  expect(sent[0]!.text).toContain('- output_invalid: 10');
  expect(sent[0]!.text).not.toContain('Words of a caller');
});
