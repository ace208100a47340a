import { Command, Option } from 'commander';
import { usageError } from '../failure.ts';
import { parseUsd } from '../options.ts';
import { withExamples } from '../output.ts';
import { clientOf } from '../credentials/connection.ts';
import { folderArgument } from '../publishing/folderOption.ts';
import { parseMinutes } from '../publishing/arguments.ts';
import { reporting } from '../publishing/outcome.ts';
import { publishFolder, type PublishOptions } from '../publishing/publishFolder.ts';

const TEST_REVIEWS = ['approve', 'changes', 'reject', 'wait'];

export const publish = withExamples(
  new Command('publish')
    .description('publish the agent of a folder: draft, checks, evaluation, submission')
    .addArgument(folderArgument())
    .option('--private', 'use it in your own workspace at once, without a review')
    .option('--wait', 'wait for the outcome of the review; goes on where an interrupted one was')
    .option('--timeout <minutes>', 'wait for at most so long', parseMinutes)
    .option('--release-notes <text>', 'tell the reviewers what is new')
    .option('--channel <name>', 'point this channel at the version when it may be run, as beta')
    .option('--no-eval', 'do not run the evaluation set of the folder first')
    .option('--eval-max-cost <usd>', 'the most that the evaluation may cost', parseUsd)
    .option('--again', 'submit the same content again after it was sent back')
    .option('--replace', 'take back the submission of other content that is in review')
    .addOption(new Option('--test-review <outcome>', 'with a test key: how the review ends').choices(TEST_REVIEWS))
    .action(async (folder: string, options: PublishOptions, command: Command) => {
      refuseTogether(options);
      process.exitCode = await reporting(command, async (report) =>
        publishFolder(await clientOf(command), { folder, options, report }),
      );
    }),
  [
    ['ledgerline publish --private', 'run it in your own workspace in a second'],
    ['ledgerline publish --wait --release-notes "Also reads PDF."', 'submit it, and wait for the reviewers'],
    ['ledgerline publish --wait --timeout 60 --json > outcome.json', 'in CI'],
  ],
);

function refuseTogether({
  private: isPrivate,
  wait,
  timeout,
  releaseNotes,
  channel,
  again,
  replace,
}: PublishOptions): void {
  const ofReviews = {
    '--wait': wait,
    '--timeout': timeout,
    '--release-notes': releaseNotes,
    '--again': again,
    '--replace': replace,
  };
  const [name] = Object.entries(ofReviews).find(([, value]) => value !== undefined) ?? [];
  if (isPrivate && name) throw usageError(`${name} is about a review, and --private has none.`);
  if (timeout !== undefined && !wait) throw usageError('--timeout needs --wait.');
  if (channel !== undefined && !wait && !isPrivate)
    throw usageError('--channel needs --wait: a channel takes versions that were approved.');
}
