import { newId } from '../../../db/ids.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { deploy, freeze } from '../../../db/publishing/submit.ts';
import { bodyOf, CATALOGUE, OWN_AGENTS, WAITING, type AgentDraft } from './agentDefinitions.ts';
import type { DemoStage } from './demoStage.ts';
import { iconOf } from './pictures.ts';
import { demoEmails, send, signUp, upload, type Person } from './people.ts';

/** Publishes the agents of the catalogue and those of Northwind Robotics, in all states of a review. */
export async function publishAgents(stage: DemoStage, publisher: Person) {
  await seedAgents(stage.db.everywhere);
  const operator = await signUp(stage, 'Olga Ferrari', demoEmails.operator);
  await stage.owner.query('update users set is_operator = true where email = $1', [operator.email]);
  const others: Person[] = [];
  for (const [namespace, { provider, agents }] of Object.entries(CATALOGUE)) {
    const person = await signUp(stage, provider, `team@${namespace}.example`);
    await stage.owner.query('update workspaces set name = $2 where id = $1', [person.workspaceId, provider]);
    const ids: string[] = [];
    for (const draft of agents) {
      ids.push(await create(person, namespace, draft));
      await publish(stage, ids.at(-1)!);
    }
    if (namespace === 'harbor') await deprecateLast(person, ids);
    await send(person, 'PATCH', `publisher/namespaces/${namespace}`, { provider_name: provider });
    await send(operator, 'POST', `namespaces/${namespace}/verify`, { verified: namespace !== 'paperwing' });
    others.push(person);
  }
  await publishOwn(stage, publisher, operator);
  for (const [at, [namespace, draft]] of Object.entries(WAITING).entries())
    await submit(others[at]!, await create(others[at]!, namespace, draft));
  return { operator, others };
}

async function publishOwn(stage: DemoStage, publisher: Person, operator: Person): Promise<void> {
  const namespace = 'northwind';
  const live = await create(publisher, namespace, OWN_AGENTS.live);
  await publish(stage, live);
  const instructions = `${OWN_AGENTS.live.instructions} Round as the drawing does.`;
  await change(publisher, live, { instructions });
  await publish(stage, live);
  await openBeta(publisher, live);
  const handover = await submit(publisher, await create(publisher, namespace, OWN_AGENTS.changes));
  await decide(operator, handover, 'request-changes', [
    { path: '/instructions', message: 'Say what happens when the machine log has gaps.' },
    { path: '/pricing', message: 'A run of the example costs more than its description lets expect.' },
  ]);
  const scout = await submit(publisher, await create(publisher, namespace, OWN_AGENTS.rejected));
  await decide(operator, scout, 'reject', [{ path: '', message: 'It ranks companies without naming its sources.' }]);
  await submit(publisher, await create(publisher, namespace, OWN_AGENTS.waiting));
  await create(publisher, namespace, OWN_AGENTS.draft);
}

/** Announces the last day of a publisher's last agent, and its first one as the successor. */
async function deprecateLast(person: Person, ids: string[]): Promise<void> {
  const { namespace, slug } = await send<{ namespace: string; slug: string }>(
    person,
    'GET',
    `publisher/agents/${ids[0]}`,
  );
  const sunset_at = new Date(Date.now() + 60 * 86_400_000).toISOString();
  const message = 'Minutes become a part of the contract reader.';
  await send(person, 'POST', `publisher/agents/${ids.at(-1)}/deprecate`, {
    sunset_at,
    successor: `${namespace}/${slug}`,
    message,
  });
}

/** A channel with the former version, which moves to the newest one. */
async function openBeta(publisher: Person, agentId: string): Promise<void> {
  const path = `publisher/agents/${agentId}`;
  const { data } = await send<{ data: { id: string }[] }>(publisher, 'GET', `${path}/versions`);
  for (const version of data.toReversed())
    await send(publisher, 'PUT', `${path}/channels/beta`, { version_id: version.id });
}

/** Publishes a draft without a review, as the platform publishes its own agents. */
const publish = ({ db }: DemoStage, agentId: string): Promise<void> =>
  db.everywhere.transaction(async (tx) => {
    const agent = await tx.em.findOneOrFail(tx.Agent, { id: agentId });
    const versionId = await freeze(tx, agent);
    const { workspaceId } = agent;
    await deploy(tx, {
      deploymentId: newId('dep'),
      workspaceId,
      agentId,
      versionId,
      visibility: 'public',
      isApproved: true,
    });
  });

async function create(person: Person, namespace: string, draft: AgentDraft): Promise<string> {
  const icon = await upload(person, 'agent_icon', {
    name: `${draft.slug}.png`,
    type: 'image/png',
    bytes: iconOf(draft.hue),
  });
  const { id } = await send(person, 'POST', 'publisher/agents', { namespace, ...bodyOf(draft), icon_file_id: icon });
  return id;
}

/** Submits a draft for review; returns the submission's id. */
async function submit(person: Person, id: string): Promise<string> {
  const tag = await tagOf(person, id);
  try {
    return (await send(person, 'POST', `publisher/agents/${id}/submit-public`, {}, { 'if-match': tag })).id;
  } catch (error) {
    // A busy machine may submit it and answer 503; the repetition is refused then.
    const agent = await send<{ public_submission: { id: string } | null }>(person, 'GET', `publisher/agents/${id}`);
    if (agent.public_submission === null) throw error;
    return agent.public_submission.id;
  }
}

async function change(person: Person, id: string, members: object): Promise<void> {
  await send(person, 'PATCH', `publisher/agents/${id}/draft`, members, { 'if-match': await tagOf(person, id) });
}

const tagOf = async (person: Person, id: string): Promise<string> =>
  (await person.send('GET', `/console/v1/publisher/agents/${id}/draft`)).headers.get('etag')!;

const decide = (operator: Person, deploymentId: string, move: string, feedback: object[]) =>
  send(operator, 'POST', `deployments/${deploymentId}/${move}`, { feedback });
