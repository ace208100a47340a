import type { Client } from '@temporalio/client';

/** Writes every schedule in Temporal again, so that its arguments are encrypted with the first key. Returns how many. */
export async function moveSchedules({ schedule }: Client): Promise<number> {
  let moved = 0;
  for await (const { scheduleId } of schedule.list()) {
    await schedule.getHandle(scheduleId).update((present) => present);
    moved += 1;
  }
  return moved;
}

/** How many workflows, running or ended, Temporal still keeps that began before this time. */
export async function countBefore({ workflow }: Client, time: string): Promise<number> {
  return (await workflow.count(`StartTime < '${time}'`)).count;
}
