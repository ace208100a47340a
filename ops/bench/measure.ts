import type { Bench } from './area.ts';
import type { PlacedArea } from './areas.ts';
import { BusyError, type Disturbance, disturbanceBetween, isDisturbed, readMachineTimes } from './machine/busy.ts';
import type { Row } from './report.ts';
import { OTHER_CORE, pinTree } from './servers.ts';

/** The figures of an area, its rows, and what others used of the machine during its measurement. */
export interface Measured {
  area: string;
  figures: unknown;
  rows: Row[];
  disturbance: Disturbance;
}

/** Measures areas one after the other. Throws `BusyError` after the first that others disturbed, if they are to be refused. */
export async function measureAreas(
  areas: PlacedArea[],
  { bench, refusesBusy }: { bench: Bench; refusesBusy: boolean },
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const { name, isPinned, measure } of areas) {
    if (isPinned) pinBench(bench);
    const before = readMachineTimes();
    const { figures, rows } = await measure(bench);
    const disturbance = disturbanceBetween(before, readMachineTimes());
    if (refusesBusy && isDisturbed(disturbance)) throw new BusyError(`while ${name} was measured`, disturbance);
    measured.push({ area: name, figures, rows, disturbance });
  }
  return measured;
}

/** Pins this program and PostgreSQL beside the measured servers. */
function pinBench({ installation }: Bench): void {
  pinTree(process.pid, OTHER_CORE);
  pinTree(installation.postgres.pid, OTHER_CORE);
}
