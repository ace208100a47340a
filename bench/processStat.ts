import { readFileSync } from 'node:fs';

// USER_HZ: the unit of /proc's processor times, 100 a second on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;
const MEBI = 1024;

/** Processor time that a process has used since its start, all threads, user and system, in microseconds. */
export function cpuMicrosOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name stands in brackets and may hold anything: fields are counted after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
}

/** Resident memory of a process in MiB. */
export function residentMiBOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / MEBI;
}
