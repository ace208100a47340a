import { Command } from 'commander';
import { completed } from '../agentFolder/members.ts';
import { EVALUATION } from '../agentFolder/evaluation.ts';
import { clientOf } from '../credentials/connection.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';
import { parseUsd } from '../options.ts';
import { printResult, withExamples } from '../output.ts';
import { sendDraft } from '../publishing/draft.ts';
import { evaluateDraft } from '../publishing/evaluateDraft.ts';
import { textOfEvaluation } from '../publishing/evaluationLog.ts';
import { placing, sayingFindings } from '../publishing/findings.ts';
import { folderArgument, openFolder } from '../publishing/folderOption.ts';
import { nameOf, ownAgent } from '../publishing/ownAgents.ts';

interface Options {
  of: string;
  against?: string;
  maxCostUsd?: number;
  again?: boolean;
}

export const evaluate = withExamples(
  new Command('eval')
    .description('run the evaluation set of a folder; ends with 1 when a case does not pass')
    .addArgument(folderArgument())
    .option('--of <version>', 'what to run: `draft` (of the folder), `live`, or a version', 'draft')
    .option('--against <run>', 'compare with `live` (the public version), or with evalrun_…')
    .option('--max-cost-usd <usd>', 'the most that it may cost', parseUsd)
    .option('--again', 'run it although this content was evaluated')
    .action(async (path: string, options: Options, self: Command) =>
      sayingFindings(async () => {
        const folder = await openFolder(path);
        if (!folder.evaluation) throw new Failure(`The folder has no ${EVALUATION}.`, { hint: HINT });
        const client = await clientOf(self);
        const subject =
          options.of === 'draft'
            ? await placing(folder.placeOf, () => sendDraft(client, folder))
            : { agent: await ownAgent(client, nameOf(folder)), configuration: completed(folder.configuration) };
        const { of: version, against, maxCostUsd, again = false } = options;
        const order = { version, against, maxCostUsd, again };
        const run = (await evaluateDraft(client, { ...subject, folder, options: order }))!;
        printResult(self, run, textOfEvaluation);
        if (run.status !== 'passed') process.exitCode = ExitCode.failed;
      }),
    ),
  [
    ['ledgerline eval'],
    ['ledgerline eval --of live --max-cost-usd 0.50', 'the public version, with the cases of the folder'],
  ],
);

const HINT =
  'Each example is a case with the checks of {"checks": [{"type": "cost", "max_cost_usd": 0.01}]}: see /docs/guides/evaluations.';
