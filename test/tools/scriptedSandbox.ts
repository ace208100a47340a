import type { Outcome, Program, Sandbox } from '../../tools/sandbox/sandbox.ts';

const nothingDone: Outcome = { ending: 'ok', stdout: '', stderr: '', result: null, files: [], durationMs: 7 };

/** A sandbox that runs nothing: it records the programs and returns scripted results. */
export function scriptedSandbox(outcomeOf: (program: Program) => Partial<Outcome> = () => ({})) {
  const programs: Program[] = [];
  const sandbox: Sandbox = {
    tier: 'quickjs',
    languages: ['javascript', 'python'],
    description: 'scripted',
    run: async (program) => {
      programs.push(program);
      return { ...nothingDone, ...outcomeOf(program) };
    },
    close: async () => undefined,
  };
  return { sandbox, programs };
}
