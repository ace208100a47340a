import { newId } from '../../db/ids.ts';
import { recordSpeech } from '../../db/voices/speechHistory.ts';
import { createVoice } from '../../db/voices/voices.ts';
import type { GuardStage } from '../support/guardStage.ts';

/** A text that is in all that the owner has, and in nothing else. */
export const canary = 'canary7Qx2';

interface Owner {
  workspaceId: string;
  secret: string;
}

/** One of everything that a workspace can have, each with the canary in it: its id, by the name that paths have for it. */
export async function makeOneOfEach(stage: GuardStage, owner: Owner): Promise<Record<string, string>> {
  const made = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const asked = { body: JSON.stringify(body), headers: { authorization: `Bearer ${owner.secret}`, ...headers } };
    const response = await stage.ask(path, asked);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return { body: (await response.json()) as Record<string, string>, headers: response.headers };
  };
  const file = await upload(stage, owner);
  const session = await made('/v1/sessions', { title: canary });
  const entry = await made(`/v1/sessions/${session.body.id}/files`, { kind: 'directory', name: canary });
  const run = await made('/v1/runs', { agent: 'ledgerline/writer', input: canary, session_id: session.body.id });
  const chat = await made('/v1/chat/completions', {
    model: 'ledgerline-text-1',
    messages: [{ role: 'user', content: canary }],
  });
  const agent = await made('/v1/publisher/agents', { namespace: canary.toLowerCase(), slug: 'own', ...configuration });
  const deployed = `/v1/publisher/agents/${agent.body.id}/deploy-private`;
  const deployment = await made(deployed, {}, { 'if-match': '"draft-1"' });
  return {
    file_id: file,
    session_id: session.body.id!,
    entry_id: entry.body.id!,
    run_id: run.body.id!,
    event_id: run.body.last_event_id!,
    request_id: chat.headers.get('x-request-id')!,
    agent_id: agent.body.id!,
    version_id: deployment.body.version_id!,
    deployment_id: deployment.body.id!,
    namespace: canary.toLowerCase(),
    name: canary.toLowerCase(),
    slug: 'own',
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

async function upload(stage: GuardStage, { secret }: Owner): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([canary]), `${canary}.txt`);
  form.append('purpose', 'agent_input');
  const headers = { authorization: `Bearer ${secret}` };
  const response = await fetch(`${stage.api.url}/v1/files`, { method: 'POST', body: form, headers });
  return ((await response.json()) as { id: string }).id;
}

async function makeVoice({ db }: GuardStage, { workspaceId }: Owner, fileId: string) {
  const voice = { id: newId('voice').replace('_', ''), name: canary, description: canary };
  await createVoice(
    db.write(workspaceId),
    { ...voice, labels: { note: canary }, measure: {}, samples: [], upstreamIds: {} },
    10,
  );
  const itemId = newId('hist').replace('_', '');
  await recordSpeech(db.write(workspaceId), {
    id: itemId,
    requestId: newId('req'),
    source: 'TTS',
    voiceId: voice.id,
    voiceName: canary,
    voiceCategory: 'cloned',
    modelId: 'ledgerline-speech',
    text: canary,
    characters: canary.length,
    contentType: 'audio/mpeg',
    outputFormat: 'mp3_44100_128',
    settings: null,
    fileId,
  });
  return { voice_id: voice.id, item_id: itemId };
}
