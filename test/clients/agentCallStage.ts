import type { Script } from '../../rules/scripted/script.ts';
import { setPublisherStage } from '../api/publisher/publisherStage.ts';
import { publishAgent } from '../support/agent.ts';
import { steadyPort } from '../support/network.ts';
import { sharedSandbox } from '../support/sandbox.ts';

export type AgentCallStage = Awaited<ReturnType<typeof setAgentCallStage>>;

export const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
export const told = (script: Script) => JSON.stringify({ scripted: script });
/** Asks a question before it answers. */
export const asking: Script = {
  turns: [{ toolCalls: [call('ask_user', { question: 'Which city?' })] }, { text: 'Rome, then.' }],
};

/** Asks for a form and an approval in one turn. */
export const askingTogether: Script = {
  turns: [
    {
      toolCalls: [
        call('ask_user', {
          question: 'Where to?',
          schema: {
            type: 'object',
            properties: { city: { type: 'string', title: 'City' }, nights: { type: 'integer', maximum: 9 } },
            required: ['city'],
          },
        }),
        call('write_file', { path: 'trip.md', content: 'A trip.' }),
      ],
    },
    { text: 'Booked.' },
  ],
};

export const input_schema = {
  type: 'object',
  properties: { city: { type: 'string' }, plan: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
export const output_schema = { type: 'object', properties: { rain: { type: 'number' } }, required: ['rain'] };

/** The platform at its public address, with `webhooks` to this machine if wanted, with an agent of texts and files (`poet`) and a typed agent (`forecaster`). */
export async function setAgentCallStage({ webhooks = false } = {}) {
  const port = await steadyPort();
  const env = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...(webhooks && { WEBHOOK_LOOPBACK: 'on' }),
  };
  const webhookSending = { allowPrivate: webhooks ? ('loopback' as const) : (false as const) };
  const stage = await setPublisherStage({ sandbox: await sharedSandbox(), env, webhookSending });
  const owner = { workspaceId: stage.publisher.workspaceId };
  await stage.db.pool.query(
    `insert into namespaces (name, workspace_id, provider_name) values ('test', $1, 'Test') on conflict do nothing`,
    [owner.workspaceId],
  );
  const tools = ['ask_user', 'read_file', 'write_file'];
  const poet = await publishAgent(stage.db, { tools }, owner);
  const typed = { tools, input_schema, output_schema, example_prompts: [] };
  const forecaster = await publishAgent(stage.db, typed, owner);
  const asksForms = { tools, question_forms: true, requires_approval: ['write_file'] };
  const planner = await publishAgent(stage.db, asksForms, owner);
  const lastRun = async () =>
    (await stage.db.pool.query('select * from runs order by created_at desc limit 1')).rows[0];
  return {
    ...stage,
    poet,
    forecaster,
    /** Its questions are forms, and writing needs approval. */
    planner,
    lastRun,
    close: async () => {
      await stage.close();
    },
  };
}
