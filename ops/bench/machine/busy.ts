import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MICROS_PER_TICK, treeMicrosOf } from './processor.ts';

/** Processor times of the whole machine at a moment, in ticks since its start. */
export interface MachineTimes {
  total: number;
  /** Of all programs. */
  programs: number;
  /** Of this program and everything that it started. */
  own: number;
  /** Taken by other virtual machines. */
  steal: number;
}

/** What others had of the processors in a period: shares of all cores' time, 0 to 1. */
export interface Disturbance {
  others: number;
  steal: number;
}

/** From this share on, figures say more about the neighbours than about the product. */
const DISTURBANCE_MAX = 0.05;

const LOOK_MS = 2_000;

/** Watches the machine for two seconds, in which this program does nothing. */
export async function watchIdle(): Promise<Disturbance> {
  const before = readMachineTimes();
  await sleep(LOOK_MS);
  return disturbanceBetween(before, readMachineTimes());
}

export function readMachineTimes(): MachineTimes {
  const own = treeMicrosOf(process.pid) / MICROS_PER_TICK;
  return machineTimesIn(readFileSync('/proc/stat', 'utf8'), own);
}

/** The times in the first line of `/proc/stat`. Interrupts are left out: most of them are packets of the load itself. */
export function machineTimesIn(text: string, own: number): MachineTimes {
  const [user, nice, system, idle, ioWait, irq, softIrq, steal] = text
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const programs = user! + nice! + system!;
  return { total: programs + idle! + ioWait! + irq! + softIrq! + steal!, programs, own, steal: steal! };
}

export function disturbanceBetween(before: MachineTimes, after: MachineTimes): Disturbance {
  const total = Math.max(1, after.total - before.total);
  const others = after.programs - before.programs - (after.own - before.own);
  return { others: Math.max(0, others) / total, steal: (after.steal - before.steal) / total };
}

/** Whether others had so much that the figures of the period do not count. */
export const isDisturbed = ({ others, steal }: Disturbance): boolean => others + steal > DISTURBANCE_MAX;

/** For the reader of a report. */
export function disturbanceText({ others, steal }: Disturbance): string {
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
  return `other programs used ${percent(others)} of the processors, other machines ${percent(steal)}`;
}

/** The machine was not quiet enough for figures. */
export class BusyError extends Error {
  override name = 'BusyError';

  constructor(when: string, disturbance: Disturbance) {
    const limit = `${(DISTURBANCE_MAX * 100).toFixed(0)} %`;
    super(
      `The machine is busy: ${when}, ${disturbanceText(disturbance)} (together at most ${limit}). ` +
        'Repeat it on a quiet machine, or add --busy-anyway.',
    );
  }
}
