import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Script } from '../../../rules/scripted/script.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { daysFromNow, sealingKeys } from '../../support/billDays.ts';
import { askingTogether, call, setAgentCallStage } from '../agentCallStage.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';

const snippets = join(import.meta.dirname, '../../../docs/guides/snippets');

/** Sums a table into a file. */
const summing: Script = {
  turns: [{ toolCalls: [call('write_file', { path: 'total.md', content: 'Total: 42' })] }, { text: 'It is 42.' }],
};
const writing: Script = { text: 'Rain on the tin roof.' };

export type SnippetStage = Awaited<ReturnType<typeof setSnippetStage>>;

/** The platform with the agents of the guide’s programs, and a key for them. */
export async function setSnippetStage() {
  const stage = await setAgentCallStage();
  // In the guide agents have names of an example.
  const names: [example: string, own: string][] = [
    ['acme/planner', stage.planner],
    ['acme/analyst', stage.poet],
    ['MODEL_ID', textModel],
    ['EMBEDDING_ID', embeddingModel],
  ];

  return {
    ...stage,
    env: { LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: stage.stranger.secret },
    /** The text of a program, for this installation. */
    async textOf(file: string): Promise<string> {
      const text = await readFile(join(snippets, file), 'utf8');
      return names.reduce((changed, [example, own]) => changed.replaceAll(example, own), text);
    },
    /** What the programs of both languages are about to print, by name, with how the model answers. */
    expected: {
      run: [writing, /^Rain on the tin roof\. 0\.0/],
      stream: [writing, /^Rain on the tin roof\.\ncompleted 0\.0/],
      answer: [askingTogether, /^Booked\.$/m],
      files: [summing, /^It is 42\.$/m],
      pages: [writing, /^run_\w+ .+ 0/m],
      errors: [writing, /^404 agent_not_found agent req_\w+$/m],
      costs: [writing, /^Rain on the tin roof\. (0\.0\d+|\d\.\d+e-05)$/m],
      vendor: [writing, /^Rain on the tin roof\.$/m],
    } satisfies Record<string, [Script, RegExp]>,
    /** Makes a call, signs its day, and writes the keys and the statement into a folder. Returns the id of the call. */
    async writeBill(folder: string): Promise<string> {
      const headers = { authorization: `Bearer ${stage.stranger.secret}` };
      const body = JSON.stringify({ model: textModel, messages: [{ role: 'user', content: 'Rain.' }] });
      const call = await stage.ask('/v1/chat/completions', { headers, body });
      await call.text();
      await stage.db.ledger.posted();
      await signDays(stage.db.everywhere, sealingKeys, { now: daysFromNow(1) });
      const [keys, statement] = await Promise.all([
        stage.ask('/.well-known/ledgerline-bill-keys.json'),
        stage.ask('/platform/v1/billing/statement?format=jsonl', { headers }),
      ]);
      await writeFile(join(folder, 'bill-keys.json'), await keys.text());
      await writeFile(join(folder, 'statement.jsonl'), await statement.text());
      return call.headers.get('x-request-id')!;
    },
    /** The table that a program uploads. */
    writeTable: (folder: string) => writeFile(join(folder, 'sales.csv'), 'month,sales\nMay,40\nJune,2\n'),
  };
}
