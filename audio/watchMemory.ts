import { readFile } from 'node:fs/promises';

const INTERVAL_MS = 50;
const PAGE_BYTES = 4096;

/** Looks after the memory a process really uses, and tells once it is too much. Where there is no /proc it sees nothing. */
export function watchMemory(pid: number, bytesMax: number, onTooMuch: () => void): { stop: () => void } {
  const timer = setInterval(() => void look(), INTERVAL_MS);
  timer.unref();
  async function look(): Promise<void> {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0');
    if (Number(statm.split(' ')[1]) * PAGE_BYTES <= bytesMax) return;
    clearInterval(timer);
    onTooMuch();
  }
  return { stop: () => clearInterval(timer) };
}
