import { text } from 'node:stream/consumers';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { registerPlugin } from '../../../db/plugins/plugins.ts';
import type { Json } from '../../../providers/provider.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { setPublishers } from '../../api/publisher/publisherStage.ts';
import { call } from '../../clients/agentCallStage.ts';
import { makeAccount } from '../../support/account.ts';
import { ask, type Asked } from '../../support/guardStage.ts';
import { startEverythingServer } from '../../tools/everythingServer.ts';
import { startSite } from '../../tools/webStage.ts';
import { setKillStage } from '../stages/killStage.ts';

/** The model's answers in a long task, of which all but the last call a tool. */
export const TURNS = 101;
/** The turns before which the caller is asked to approve an order. */
export const APPROVED_AT = [1, 50];
export const QUESTION = 'What grows on the moon?';

/** The platform as processes, a publisher and a caller; a plugin, and the publisher's own code, which counts its calls by their keys. */
export async function setResearchStage() {
  const key = createSealingKey();
  const env = { PLUGIN_SECRETS_KEY: key, WEBHOOK_LOOPBACK: 'on' };
  const [stage, plugin] = await Promise.all([setKillStage({ env }), startEverythingServer()]);
  const calls = new Map<string, { tool: string; arguments: Json }>();
  const site = await startSite((request, response) => {
    void (async () => {
      calls.set(String(request.headers['idempotency-key']), JSON.parse(await text(request)));
      response.setHeader('content-type', 'application/json').end('{"found":true}');
    })();
  });
  const everything = { id: 'every', version: '1', name: 'Everything', url: plugin.url, headers: {} };
  await registerPlugin(stage.db.everywhere, parseSealingKeys(key), everything);
  const publishers = await setPublishers({
    db: stage.db,
    account: (options) => makeAccount(stage.db, { creditUsd: '100', ...options }),
    ask: (path: string, asked?: Asked) => ask(stage.url(), path, asked),
  });
  stage.upstream.script(answerOf);

  async function close(): Promise<void> {
    await stage.close();
    await site.stop();
    await plugin.stop();
  }

  return { ...stage, ...publishers, researcher: researcherAt(site.port), calls, close };
}

/** The prices of a run, above the platform's costs. */
export const RATES = [
  { meter: 'model_input_tokens', price_usd: 0.000000301, picos: 301_000n },
  { meter: 'model_output_tokens', price_usd: 0.000002507, picos: 2_507_000n },
  { meter: 'tool_calls', price_usd: 0.000100003, picos: 100_003_000n },
];

/** A configuration that passes every check of a review. */
function researcherAt(port: number) {
  const own = (name: string, description: string) => ({
    name,
    description,
    input_schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    url: `http://127.0.0.1:${port}/${name}`,
    timeout_seconds: 60,
  });
  return {
    name: 'Researcher',
    description: 'Answers questions from papers.',
    instructions: 'You research with your tools. Cite every source.',
    tools: ['ask_user', 'get_state', 'set_state', 'remember'],
    plugins: [{ plugin_id: 'every', version: '1' }],
    http_tools: [own('find_paper', 'Finds a paper by its title.'), own('order_paper', 'Orders a paper, at a price.')],
    question_forms: true,
    compaction: { mode: 'summarize', compact_threshold: 4_000 },
    pricing: {
      minimum_cost_usd: 0,
      maximum_cost_usd: 5,
      rates: RATES.map(({ picos: _picos, ...rate }) => rate),
    },
    categories: ['research'],
    example_prompts: ['Is there water on the moon?'],
  };
}

const depth = {
  question: 'How deep?',
  schema: {
    type: 'object',
    properties: { papers: { type: 'integer', minimum: 1, maximum: 50, title: 'Papers' } },
    required: ['papers'],
  },
};

/** What a long task does in each turn. */
const toolOf = (turn: number) => {
  if (turn === 0) return call('ask_user', depth);
  const title = `Paper ${turn}`;
  if (APPROVED_AT.includes(turn)) return call('order_paper', { title });
  return [
    call('every__get-sum', { a: turn, b: 1 }),
    call('find_paper', { title }),
    call('set_state', { patch: { turn } }),
    call('get_state', {}),
    call('remember', { text: `Has read ${title}.` }),
  ][turn % 5]!;
};

const summarized = /^Earlier messages of this task are replaced by this summary:\n\n\[(\d+) answers\]/;

/** The model: a long task for one question, and a short answer to all others, with a source where the instructions want one. */
function answerOf({ messages }: Json): Script {
  const all = (messages as { role: string; content: unknown }[]).map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
  }));
  const isCited = all.some(({ role, content }) => role === 'system' && content.includes('Cite every source.'));
  const source = isCited ? ' [1]' : '';
  if (all.some(({ role, content }) => role === 'user' && content === 'Wait for me.'))
    return { turns: [{ toolCalls: [call('ask_user', depth)] }, { text: `Thank you.${source}` }] };
  if (!all.some(({ role, content }) => role === 'user' && content === QUESTION)) return { text: `Yes.${source}` };
  const replaced = Math.max(...all.map(({ content }) => Number(summarized.exec(content)?.[1] ?? 0)));
  const turn = all.filter(({ role }) => role === 'assistant').length + replaced;
  return turn >= TURNS - 1 ? { text: `Nothing.${source}` } : { toolCalls: [toolOf(turn)] };
}
