import type { Installation } from '../installation.ts';
import { type Compared, measureAccepted } from './measureAccepted.ts';
import { measureEnds } from './measureEnds.ts';
import { measureReaders, type Delivered } from './measureReaders.ts';
import { withRunStage } from './stage.ts';

/** How much of runs is measured. */
export interface RunPlan {
  rounds: number;
  /** In each round: calls that are timed one at a time, and runs that are timed with many under way. */
  callsAlone: number;
  runsTogether: number;
  inFlight: number;
  readers: number;
  tellingMs: number;
}

export interface RunFigures {
  /** To the 202, against the call that starts a bare workflow. */
  accepted: Compared[];
  /** From a workflow's start to its result, against a bare workflow's. */
  alone: Compared[];
  together: Compared[];
  /** How many were under way then. */
  inFlight: number;
  told: Delivered[];
}

/** Runs of agents, each figure beside what Temporal itself takes on the same server at the same time. */
export async function measureRuns(
  installation: Installation,
  { rounds, callsAlone, runsTogether, inFlight, readers, tellingMs }: RunPlan,
  tell: (text: string) => void,
): Promise<RunFigures> {
  return withRunStage(installation, async (stage) => {
    tell('runs accepted');
    const accepted = await measureAccepted(stage, callsAlone, rounds);
    tell('runs from start to end, 1 in flight');
    const alone = await measureEnds(stage, { inFlight: 1, count: callsAlone, rounds });
    tell(`runs from start to end, ${inFlight} in flight`);
    const together = await measureEnds(stage, { inFlight, count: runsTogether, rounds });
    tell(`events of a run, ${readers} readers`);
    const told = await measureReaders(stage, { readers, roundMs: tellingMs, rounds });
    return { accepted, alone, together, inFlight, told };
  });
}
