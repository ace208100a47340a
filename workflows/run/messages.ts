import { defineQuery, defineSignal } from '@temporalio/workflow';
import { resumeRunSignal, runStateQuery, type RunState } from '../contract.ts';

/** The caller has answered: the answer is in the run's row. */
export const resumeRun = defineSignal(resumeRunSignal);

export const runState = defineQuery<RunState>(runStateQuery);
