import type { Scripted, ScriptedScenario } from './scriptedStage.ts';

const step = { at: '2026-11-25T00:00:00.000Z', aheadSeconds: 60, firings: [] };
const next = { step, isCalm: true };
const over = { step: null, isCalm: true };

const playing =
  (planClockStep: Scripted[]): ScriptedScenario['play'] =>
  async (stage) => {
    const started = await stage.startTestClock({ planClockStep, takeClockStep: [undefined] });
    await started.handle.result();
    return started;
  };

/** By name, which is also the file name of the history. */
export const testClockScenarios: Record<string, ScriptedScenario> = {
  moved: {
    promise: 'a test clock takes each step until it is at its target',
    ends: { steps: 2 },
    calls: ['planClockStep', 'takeClockStep', 'planClockStep', 'takeClockStep', 'planClockStep'],
    play: playing([next, next, over]),
  },
  busy: {
    promise: 'a test clock goes on while something works for long',
    ends: { steps: 1 },
    calls: ['planClockStep', 'takeClockStep', 'planClockStep'],
    play: playing([{ step, isCalm: false }, over]),
  },
  retried: {
    promise: 'a step that failed is taken again',
    ends: { steps: 1 },
    calls: ['planClockStep', 'planClockStep', 'takeClockStep', 'planClockStep'],
    play: playing([new Error('The database is away.'), next, over]),
  },
};
