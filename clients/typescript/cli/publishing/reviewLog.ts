import type { AgentFolder } from '../agentFolder/readFolder.ts';
import { usd } from '../format.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { isLive } from '../terminal/terminal.ts';
import type { StatusLine } from '../terminal/statusLine.ts';
import { feedbackFindings, textOfFinding } from './findings.ts';
import { isOpen, type Review } from './review.ts';

/** Says what is new in a review at each look, once, and below it what is waited for. */
export function reviewLog(folder: AgentFolder, status: StatusLine): (review: Review) => void {
  const told = new Set<string>();
  const tell = (key: string, text: () => string) => {
    if (told.has(key)) return;
    told.add(key);
    status.clear();
    say(text());
  };
  return (review) => {
    for (const { index, submitted: run } of review.trials) {
      if (!run || !ENDED.has(run.status)) continue;
      const seconds = run.duration_seconds === null ? '' : ` in ${run.duration_seconds.toFixed(1)} s`;
      const place = folder.placeOf(['example_prompts', index]).file;
      tell(
        run.id,
        () => `trial of ${place}: ${run.status}${seconds}${err.dim(` ${usd(run.cost_usd)}, paid by the platform`)}`,
      );
    }
    for (const { id, author, message } of review.comments) tell(id, () => `${err.bold(`${author}:`)} ${message}`);
    const { review_feedback: feedback } = review.deployment;
    feedbackFindings(feedback, folder).forEach((finding, at) => tell(feedback[at]!.id, () => textOfFinding(finding)));
    if (!isOpen(review.deployment)) return;
    const [phase, done] = phaseOf(review, folder);
    status.set(done === null ? phase : `${phase} ${err.dim(`(${done} done)`)}`);
    if (!isLive()) tell(phase, () => phase);
  };
}

const ENDED = new Set(['completed', 'failed', 'cancelled', 'limit_reached']);

/** What a review waits for, and the trials that are done where it is those: a reviewer may decide at any time. */
function phaseOf({ trials }: Review, { configuration }: AgentFolder): [string, number | null] {
  const done = trials.filter(({ submitted }) => submitted && ENDED.has(submitted.status)).length;
  const isTried = done >= (configuration.example_prompts?.length ?? 0);
  return isTried ? ['Waits for a reviewer.', null] : ['Waits for the checks and trials of the review.', done];
}
