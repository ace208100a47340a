/** What the exit codes say to scripts. 130 is what a shell reports for Ctrl-C. */
export const ExitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  balance: 4,
  noAnswer: 5,
  limitReached: 6,
  waiting: 7,
  changesRequested: 8,
  rejected: 9,
  timedOut: 10,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const MEANINGS: Record<ExitCode, string> = {
  [ExitCode.done]: 'done',
  [ExitCode.failed]: 'failed',
  [ExitCode.usage]: 'wrong command or options',
  [ExitCode.notSignedIn]: 'no key, or one that may not do this',
  [ExitCode.balance]: 'the balance or a limit of the key does not cover it',
  [ExitCode.noAnswer]: 'the installation does not answer',
  [ExitCode.limitReached]: 'the run met its limit of cost, time or steps',
  [ExitCode.waiting]: 'the run waits for an answer',
  [ExitCode.changesRequested]: 'a reviewer asks for changes',
  [ExitCode.rejected]: 'the submission was rejected',
  [ExitCode.timedOut]: '--timeout was over, and the review goes on',
  [ExitCode.interrupted]: 'ended by Ctrl-C',
};

export const exitCodesText = (): string =>
  ['Exit codes:', ...Object.entries(MEANINGS).map(([code, meaning]) => `  ${code.padEnd(5)}${meaning}`)].join('\n');
