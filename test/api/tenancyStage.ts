import { randomBytes } from 'node:crypto';
import { createSealingKey, parseSealingKeys } from '../../db/sealing/sealingKeys.ts';
import { newId } from '../../db/ids.ts';
import { beginStep } from '../../db/runs/steps/beginStep.ts';
import { NO_DETAILS } from '../../db/invoices/details.ts';
import { insertAgentAlert } from '../../db/agentAlerts/agentAlerts.ts';
import { insertEvaluationRun } from '../../db/evaluations/evaluationRuns.ts';
import { storeEvaluationSet } from '../../db/evaluations/evaluationSets.ts';
import { insertAlert } from '../../db/alerts/alerts.ts';
import { insertFlowRule } from '../../db/runs/flow/rules.ts';
import { insertProject } from '../../db/projects/projects.ts';
import { insertTestEvent } from '../../db/webhooks/deliveries.ts';
import { insertEndpoint } from '../../db/webhooks/endpoints.ts';
import { audit } from '../../db/workspaces/audit.ts';
import { openSecretBox } from '../../db/sealing/secretBox.ts';
import { recordSpeech } from '../../db/voices/speechHistory.ts';
import { createVoice } from '../../db/voices/voices.ts';
import type { GuardStage } from '../support/guardStage.ts';

/** A text in all of the owner's data, and in no other. */
export const canary = 'canary7Qx2';

interface Owner {
  workspaceId: string;
  secret: string;
}

/** The first step of the run, with a text. */
async function makeStep({ db }: GuardStage, runId: string): Promise<string> {
  await beginStep(db.pool, { runId, step: 1, kind: 'model', name: 'test' });
  const { rows } = await db.pool.query<{ id: string }>(
    `update run_steps set state = 'completed', result = $2 where run_id = $1 returning id`,
    [runId, JSON.stringify({ text: canary, toolCalls: [] })],
  );
  return rows[0]!.id;
}

/** One of each resource of a workspace, with the canary: its id, by the name of its path parameter. */
export async function makeOneOfEach(stage: GuardStage, owner: Owner): Promise<Record<string, string>> {
  const made = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const asked = { body: JSON.stringify(body), headers: { authorization: `Bearer ${owner.secret}`, ...headers } };
    const response = await stage.ask(path, asked);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return { body: (await response.json()) as Record<string, string>, headers: response.headers };
  };
  const file = await upload(stage, owner, 'agent_input');
  const announced = { filename: canary, purpose: 'user_data', bytes: 4, mime_type: 'text/plain' };
  const uploading = await made('/v1/uploads', announced);
  const batch = await made('/v1/batches', {
    input_file_id: await upload(stage, owner, 'batch'),
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
    metadata: { note: canary },
  });
  const session = await made('/v1/sessions', { title: canary, state: { note: canary } });
  const entry = await made(`/v1/sessions/${session.body.id}/files`, { kind: 'directory', name: canary });
  const run = await made('/v1/runs', { agent: 'ledgerline/writer', input: canary, session_id: session.body.id });
  const schedule = await made('/v1/schedules', {
    name: canary,
    every_seconds: 86_400,
    run: { agent: 'ledgerline/writer', input: canary },
  });
  const chat = await made('/v1/chat/completions', {
    model: 'ledgerline-text-1',
    messages: [{ role: 'user', content: canary }],
  });
  const response = await made('/v1/responses', { model: 'ledgerline-text-1', input: canary });
  const key = await made('/platform/v1/keys/derive', { name: canary });
  const agent = await made('/v1/publisher/agents', { namespace: canary.toLowerCase(), slug: 'own', ...configuration });
  const deployed = `/v1/publisher/agents/${agent.body.id}/deploy-private`;
  const deployment = await made(deployed, {}, { 'if-match': '"draft-1"' });
  return {
    file_id: file,
    session_id: session.body.id!,
    entry_id: entry.body.id!,
    batch_id: batch.body.id!,
    run_id: run.body.id!,
    schedule_id: schedule.body.id!,
    step_id: await makeStep(stage, run.body.id!),
    key_id: key.body.id!,
    // No workspace has a logo.
    logo_id: file,
    invoice_id: await makeInvoice(stage, owner),
    alert_id: await makeAlert(stage, owner, key.body.id!),
    flow_rule_id: await makeFlowRule(stage, owner),
    memory_id: await makeMemory(stage, owner, run.body.id!),
    project_id: await makeProject(stage, owner),
    evaluation_run_id: await makeEvaluationRun(stage, owner, agent.body.id!, deployment.body.version_id!),
    event_id: run.body.last_event_id!,
    ...(await makeWebhookEndpoint(stage, owner)),
    audit_entry_id: await makeAuditEntry(stage, owner),
    upload_id: uploading.body.id!,
    response_id: response.body.id!,
    request_id: chat.headers.get('x-request-id')!,
    explained_id: chat.headers.get('x-request-id')!,
    // No day has a signed root yet.
    day: '2026-11-01',
    file: 'ledgerline-none.tgz',
    agent_id: agent.body.id!,
    agent_alert_id: await makeAgentAlert(stage, owner, agent.body.id!),
    version_id: deployment.body.version_id!,
    deployment_id: deployment.body.id!,
    // Plugins belong to operators.
    plugin_id: 'own',
    // No task has one.
    config_id: 'own',
    namespace: canary.toLowerCase(),
    name: canary.toLowerCase(),
    slug: 'own',
    channel: 'own',
    a: deployment.body.version_id!,
    b: deployment.body.version_id!,
    ...(await makeVoice(stage, owner, file)),
  };
}

const configuration = {
  name: canary,
  description: canary,
  instructions: canary,
  tools: [],
  plugins: [],
  pricing: {
    minimum_cost_usd: 0,
    maximum_cost_usd: 1,
    rates: [{ meter: 'model_output_tokens', price_usd: 0.000003 }],
  },
  categories: ['test'],
  example_prompts: [canary],
};

async function upload(stage: GuardStage, { secret }: Owner, purpose: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([canary]), `${canary}.txt`);
  form.append('purpose', purpose);
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`${stage.api.url}/v1/files`, { method: 'POST', body: form, headers });
  return ((await response.json()) as { id: string }).id;
}

async function makeAlert({ db }: GuardStage, { workspaceId }: Owner, keyId: string): Promise<string> {
  const id = newId('alert');
  const by = { keyId: null, requestId: newId('req') };
  const nobody = { projectId: null, recipients: null };
  const chosen = { ...nobody, amountNanos: 1n, period: 'daily', days: null, mail: true } as const;
  const nothing = { postedNanos: 0n, heldNanos: 0n };
  await insertAlert(db.write(workspaceId), nothing, { id, by, kind: 'spend', keyId, ...chosen, percentages: [50] });
  return id;
}

async function makeFlowRule({ db }: GuardStage, { workspaceId }: Owner): Promise<string> {
  const id = newId('flow');
  const by = { keyId: null, requestId: newId('req') };
  const rate = { rateLimit: null, ratePeriodSeconds: null, rateKey: null, rateExceeded: null };
  const rule = {
    ...rate,
    agent: `${canary.toLowerCase()}/own`,
    concurrencyLimit: 9,
    concurrencyKey: `/metadata/${canary}`,
  };
  await insertFlowRule(db.write(workspaceId), { id, by, ...rule });
  return id;
}

async function makeAgentAlert({ db }: GuardStage, { workspaceId }: Owner, agentId: string): Promise<string> {
  const id = newId('aal');
  const by = { keyId: null, requestId: newId('req') };
  const chosen = {
    threshold: 1,
    windowMinutes: 60,
    runsMin: 1,
    faults: ['agent' as const],
    mail: true,
    recipients: null,
  };
  await insertAgentAlert(db.write(workspaceId), { id, by, agentId, kind: 'failures', ...chosen });
  return id;
}

/** Straight into the table: only a step of a run remembers. */
async function makeMemory({ db }: GuardStage, { workspaceId }: Owner, runId: string): Promise<string> {
  const id = newId('mem');
  const of = { workspaceId, projectId: null, agentId: 'agent_a', agent: 'ledgerline/writer', runId, expiresAt: null };
  await db.everywhere.statement(({ em, Memory }) => em.insert(Memory, { id, ...of, endUser: canary, text: canary }));
  return id;
}

async function makeEvaluationRun(
  { db }: GuardStage,
  { workspaceId }: Owner,
  agentId: string,
  versionId: string,
): Promise<string> {
  const id = newId('evalrun');
  const check = { type: 'tool_called', tool: canary } as const;
  const cases = [{ name: canary, input: canary, checks: [check] }];
  const rows = db.write(workspaceId);
  await storeEvaluationSet(rows, { agentId, revision: null, cases });
  const version = { versionId, version: canary, setRevision: 1 };
  await insertEvaluationRun(rows, { id, agentId, keyId: 'key_1', ...version, cases, maxCostNanos: null });
  return id;
}

/** Straight into the table: the month of the stage's entries has not ended. */
async function makeInvoice({ db }: GuardStage, { workspaceId }: Owner): Promise<string> {
  const id = newId('inv');
  await db.everywhere.statement(({ em, Invoice }) =>
    em.insert(Invoice, {
      id,
      workspaceId,
      month: '2026-01',
      isTest: true,
      sequence: BigInt(`0x${randomBytes(6).toString('hex')}`),
      number: canary,
      seller: { name: canary, address: [], taxId: null, email: null },
      customer: { ...NO_DETAILS, workspaceName: canary },
      lines: [],
      netNanos: 0n,
      taxNanos: 0n,
      openingNanos: 0n,
      closingNanos: 0n,
      usageNanos: 0n,
    }),
  );
  return id;
}

async function makeProject({ db }: GuardStage, { workspaceId }: Owner): Promise<string> {
  const id = newId('proj');
  const limit = { spendLimitNanos: null, spendLimitPeriod: null };
  await insertProject(db.write(workspaceId), {
    id,
    by: { keyId: null, requestId: newId('req') },
    name: canary,
    ...limit,
  });
  return id;
}

async function makeAuditEntry({ db }: GuardStage, { workspaceId }: Owner): Promise<string> {
  const entry = { workspaceId, action: 'test', subjectType: 'test', subjectId: canary, detail: { note: canary } };
  await db.everywhere.transaction((tx) => audit(tx, { keyId: null, requestId: newId('req') }, entry));
  const { rows } = await db.pool.query<{ id: string }>('select id from audit_entries where subject_id = $1', [canary]);
  return rows[0]!.id;
}

async function makeWebhookEndpoint({ db }: GuardStage, { workspaceId }: Owner) {
  await openSecretBox(db.everywhere, parseSealingKeys(createSealingKey()));
  const id = newId('we');
  const by = { keyId: null, requestId: newId('req') };
  const chosen = { url: `https://${canary}.example/`, eventTypes: [], description: canary, disabled: false };
  await insertEndpoint(db.write(workspaceId), { id, by, ...chosen });
  const endpoint = await db
    .write(workspaceId)
    .transaction(({ em, WebhookEndpoint }) => em.findOneOrFail(WebhookEndpoint, { id }));
  await insertTestEvent(db.write(workspaceId), endpoint);
  const { rows } = await db.pool.query<{ id: string }>('select id from webhook_deliveries where endpoint_id = $1', [
    id,
  ]);
  return { endpoint_id: id, delivery_id: rows[0]!.id };
}

async function makeVoice({ db }: GuardStage, { workspaceId }: Owner, fileId: string) {
  const voice = { id: newId('voice').replace('_', ''), name: canary, description: canary };
  const sample = {
    sample_id: newId('sample'),
    file_id: fileId,
    file_name: canary,
    mime_type: 'audio/wav',
    size_bytes: 4,
    hash: '',
  };
  await createVoice(
    db.write(workspaceId),
    { ...voice, labels: { note: canary }, measure: {}, samples: [sample], upstreamIds: {} },
    10,
  );
  const itemId = newId('hist').replace('_', '');
  await recordSpeech(db.write(workspaceId), {
    id: itemId,
    projectId: null,
    requestId: newId('req'),
    source: 'TTS',
    voiceId: voice.id,
    voiceName: canary,
    voiceCategory: 'cloned',
    modelId: 'ledgerline-speech',
    askedModel: null,
    text: canary,
    characters: canary.length,
    contentType: 'audio/mpeg',
    outputFormat: 'mp3_44100_128',
    settings: null,
    fileId,
  });
  return { voice_id: voice.id, sample_id: sample.sample_id, item_id: itemId };
}
