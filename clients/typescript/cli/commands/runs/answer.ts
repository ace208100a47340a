import { Command } from 'commander';
import type { ActionAnswer, Ledgerline, RequiredAction, Run } from '../../../src/index.ts';
import { clientOf } from '../../credentials/connection.ts';
import { Failure, usageError } from '../../failure.ts';
import { parseJson, parseUsd } from '../../options.ts';
import { printResult, withExamples } from '../../output.ts';
import { canAsk } from '../../terminal/terminal.ts';
import { answerTo } from '../../runs/answerTo.ts';
import { statusText } from '../../runs/statusText.ts';

type Answer = Exclude<ActionAnswer, string>;
type Data = Record<string, unknown>;

interface Options {
  data?: unknown;
  approve?: boolean;
  arguments?: unknown;
  refuse?: boolean;
  reason?: string;
  raiseTo?: number;
  step?: string;
}

const command = new Command('answer')
  .description('answer what a run waits for; asks for it at the prompt when nothing is given')
  .argument('<id>', 'run_…')
  .argument('[text...]', 'the answer to a question')
  .option('--data <json>', 'the fields of a form', parseJson)
  .option('--approve', 'let it call its tool')
  .option('--arguments <json>', 'with --approve: the arguments to use instead', parseJson)
  .option('--refuse', 'do not let it call its tool')
  .option('--reason <text>', 'with --refuse: what the agent reads')
  .option('--raise-to <usd>', 'let it cost at most so much', parseUsd)
  .option('--step <id>', 'the question that is answered, where several wait')
  .action(async (id: string, words: string[], options: Options, self: Command) => {
    const client = await clientOf(self);
    const given = answerOf(words, options);
    const run = given
      ? await client.runs.answer(id, { ...given, step_id: options.step })
      : await askFor(client, await client.runs.get(id), options.step);
    printResult(self, run, (now) => `${now.id}  ${statusText(now)}`);
  });

export const answer = withExamples(command, [
  ['ledgerline runs answer run_… "Rome, for three nights"'],
  ['ledgerline runs answer run_… --data \'{"city": "Rome"}\'', 'a form'],
  ['ledgerline runs answer run_… --refuse --reason "Not before Monday"'],
]);

function answerOf(words: string[], options: Options): Answer | undefined {
  const { data, approve, refuse, reason, raiseTo } = options;
  const given: (Answer | undefined)[] = [
    words.length > 0 ? { type: 'text', text: words.join(' ') } : undefined,
    data === undefined ? undefined : { type: 'form', data: data as Data },
    approve ? { type: 'tool_approval', decision: 'approve', ...argumentsOf(options) } : undefined,
    refuse ? { type: 'tool_approval', decision: 'refuse', ...(reason !== undefined && { reason }) } : undefined,
    raiseTo === undefined ? undefined : { type: 'raise_limit', max_cost_usd: raiseTo },
  ];
  const answers = given.filter((one) => one !== undefined);
  if (answers.length > 1) throw usageError('Give one answer: a text, --data, --approve, --refuse or --raise-to.');
  return answers[0];
}

const argumentsOf = (options: Options) =>
  options.arguments === undefined ? {} : { arguments: options.arguments as Data };

async function askFor(client: Ledgerline, run: Run, step: string | undefined): Promise<Run> {
  const action = run.required_actions.find(({ step_id }) => step === undefined || step_id === step);
  if (!action) throw new Failure(`The run ${run.id} waits for no answer: it is ${run.status.replace('_', ' ')}.`);
  if (action.url !== undefined) throw new Failure(action.message ?? 'A plugin needs something.', { hint: action.url });
  if (!canAsk()) throw usageError(`It waits for: ${whatOf(action)}`, 'Give the answer as an argument or option.');
  const given = await answerTo(action, new AbortController().signal);
  return client.runs.answer(run.id, { ...given, step_id: action.step_id });
}

const whatOf = ({ type, question, name }: RequiredAction): string => question ?? name ?? type;
