import { Command } from 'commander';
import type { Ledgerline } from '../../src/index.ts';
import type { AgentFolder } from '../agentFolder/readFolder.ts';
import type { Example } from '../agentFolder/examples.ts';
import { clientOf } from '../credentials/connection.ts';
import { printError } from '../errors.ts';
import { Failure } from '../failure.ts';
import type { GlobalOptions } from '../globalOptions.ts';
import { append, parseUsd } from '../options.ts';
import { say, withExamples } from '../output.ts';
import { checkOutcome, followRun } from '../runs/followRun.ts';
import { startOrCancel } from '../runs/startOrCancel.ts';
import { textOfComparison } from '../publishing/comparison.ts';
import { sendDraft, type SentDraft } from '../publishing/draft.ts';
import { placing, sayingFindings } from '../publishing/findings.ts';
import { folderArgument, openFolder } from '../publishing/folderOption.ts';
import { Inputs } from '../publishing/inputs.ts';
import { untilInterrupted } from '../publishing/interrupts.ts';
import { lastTest, startTest } from '../publishing/testRuns.ts';
import { watchFolder } from '../publishing/watchFolder.ts';
import { nameOf } from '../publishing/ownAgents.ts';
import { err } from '../terminal/colors.ts';
import { Interrupted } from '../terminal/prompts.ts';

interface Options {
  once?: boolean;
  example?: string[];
  maxCostUsd?: number;
}

export const dev = withExamples(
  new Command('dev')
    .description('try the draft of a folder with its examples, at each save')
    .addArgument(folderArgument())
    .option('--once', 'try it once, for CI: ends with 1 when an example does not complete')
    .option('--example <name>', 'only this example; can be repeated', append)
    .option('--max-cost-usd <usd>', 'the most that each run may cost', parseUsd)
    .action(async (path: string, options: Options, self: Command) => {
      const client = await clientOf(self);
      const trying = { client, inputs: new Inputs(client), path, options, self };
      const farewell = () => '';
      if (options.once)
        return untilInterrupted((signal) => sayingFindings(() => tryAll({ ...trying, signal })), farewell);
      await untilInterrupted((signal) => tryAtEachSave({ ...trying, signal }), farewell).catch((error: unknown) => {
        if (!(error instanceof Interrupted)) throw error;
      });
    }),
  [['ledgerline dev'], ['ledgerline dev --once', 'in CI'], ['ledgerline dev --example rain', 'one of the examples']],
);

interface Trying {
  client: Ledgerline;
  inputs: Inputs;
  path: string;
  options: Options;
  self: Command;
  signal: AbortSignal;
}

async function tryAtEachSave(trying: Trying): Promise<void> {
  const { signal } = trying;
  const folder = watchFolder(trying.path, signal);
  for (;;) {
    await sayingFindings(() => tryAll(trying)).catch((error: unknown) => {
      printError(error, trying.self.optsWithGlobals<GlobalOptions>());
    });
    signal.throwIfAborted();
    say(err.dim(`\nWatches ${trying.path}. Ctrl-C ends.`));
    await folder.next();
  }
}

/** Sends the draft, and runs each example with it. Throws when one does not complete, after all were tried. */
async function tryAll({ client, inputs, path, options, self, signal }: Trying): Promise<void> {
  const folder = await openFolder(path);
  const sent = await placing(folder.placeOf, () => sendDraft(client, folder));
  const { changed, agent } = sent;
  if (changed === 'created') say(`Created ${nameOf(folder)}.`);
  else if (changed.length > 0) say(`Changed the draft: ${changed.join(', ')}.`);
  const failures: unknown[] = [];
  for (const example of chosen(folder, options)) {
    say(`\n${err.bold(example.name)} ${err.dim(example.file)}`);
    const before = await lastTest(client, { agent, example: example.name });
    const run = await tryOne({ client, inputs, folder, sent, example, maxCostUsd: options.maxCostUsd, self, signal });
    signal.throwIfAborted();
    if (run.status === 'completed') say(textOfComparison(run, before));
    else
      await Promise.resolve(run)
        .then(checkOutcome)
        .catch((error: unknown) => failures.push(error));
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new Failure(`${failures.length} examples did not complete.`);
}

/** The examples to try; throws when there are none. */
function chosen({ examples, path }: AgentFolder, { example: names }: Options): Example[] {
  const missing = names?.find((name) => !examples.some((one) => one.name === name));
  if (missing) throw new Failure(`There is no example ${missing} in ${path}.`);
  const found = examples.filter(({ name }) => names === undefined || names.includes(name));
  if (found.length > 0) return found;
  throw new Failure('The folder has no examples to try.', {
    hint: 'Add one: a text in examples/first.txt, or an input as JSON in examples/first.json.',
  });
}

interface One extends Pick<Trying, 'client' | 'inputs' | 'self' | 'signal'> {
  folder: AgentFolder;
  sent: SentDraft;
  example: Example;
  maxCostUsd: number | undefined;
}

/** Runs one example to its end. What is wrong with its input is in its file. */
async function tryOne({ client, inputs, folder, sent: { agent }, example, maxCostUsd, self, signal }: One) {
  const places = ([first, ...rest]: (string | number)[]) =>
    first === 'input' ? example.placeOf(rest) : folder.placeOf([first!, ...rest]);
  const { id } = await placing(places, async () => {
    const input = await inputs.send(example);
    return startOrCancel(client, () => startTest(client, { agent, example: example.name, input, maxCostUsd }));
  });
  // Ctrl-C may have come before there was a run to cancel.
  if (signal.aborted) await client.runs.cancel(id);
  return followRun(self, client, id, { cancels: true });
}
