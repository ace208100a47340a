import { readFile } from 'node:fs/promises';

const INTERVAL_MS = 50;
const PAGE_BYTES = 4096;

/** Watches the memory a process really uses, and calls back once when it is too much. Does nothing where there is no /proc. */
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
