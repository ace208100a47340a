import { defineQuery, defineSignal } from '@temporalio/workflow';
import { RESUME_RUN_SIGNAL, RUN_STATE_QUERY, type RunState } from '../contract.ts';

/** The caller has answered: the answer is in the run's row. */
export const resumeRun = defineSignal(RESUME_RUN_SIGNAL);

export const runState = defineQuery<RunState>(RUN_STATE_QUERY);
