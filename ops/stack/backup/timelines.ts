import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Manifest } from './backups.ts';

/** A file of the log, in the archive or beside a cluster. */
interface LogFile {
  path: string;
  timeline: number;
  isHistory: boolean;
  changedMs: number;
}

const NAME = /^([0-9A-F]{8})(?:([0-9A-F]{16})|\.history)(?:\.gz)?$/;

async function logFilesIn(folders: string[]): Promise<LogFile[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
      return Promise.all(names.map((name) => logFileOf(folder, name)));
    }),
  );
  return found.flat();
}

async function logFileOf(folder: string, name: string): Promise<LogFile> {
  const [, timeline, position] = NAME.exec(name)!;
  const path = join(folder, name);
  const { mtimeMs } = await stat(path);
  return { path, timeline: parseInt(timeline!, 16), isHistory: position === undefined, changedMs: mtimeMs };
}

/**
 * A restore begins a new timeline, and the log of the old one stays: to return to an earlier time, its own timeline is replayed. Returns
 * the timeline that was current at a time, or the last one, and the position where each ancestor was left.
 */
export async function timelineAt(folders: string[], to: Date | undefined): Promise<Timeline> {
  const files = await logFilesIn(folders);
  const histories = files.filter(({ isHistory }) => isHistory);
  const atMs = to?.getTime() ?? Infinity;
  // The first timeline has no history: it has always existed.
  const beganMs = (timeline: number) =>
    Math.min(...histories.filter((one) => one.timeline === timeline).map(({ changedMs }) => changedMs));
  const isBegun = ({ timeline }: LogFile) => timeline === 1 || beganMs(timeline) <= atMs;
  const parts = files
    .filter((file) => !file.isHistory && isBegun(file))
    .toSorted((a, b) => a.changedMs - b.changedMs || a.timeline - b.timeline);
  // The part that was being written at that time. Without one, the time is after the end of the current timeline.
  const current = parts.find(({ changedMs }) => changedMs >= atMs) ?? parts.at(-1);
  const timeline = current?.timeline ?? 1;
  const history = histories.find((file) => file.timeline === timeline);
  return { timeline, leftAt: history ? await readHistory(history.path) : new Map() };
}

export interface Timeline {
  timeline: number;
  /** The positions in the log at which its ancestors were left, by timeline. */
  leftAt: Map<number, bigint>;
}

const unzip = promisify(gunzip);

/** Lines of timeline, position and reason. */
async function readHistory(path: string): Promise<Map<number, bigint>> {
  const bytes = await readFile(path);
  const text = String(path.endsWith('.gz') ? await unzip(bytes) : bytes);
  return new Map(
    [...text.matchAll(/^(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/gm)].map(([, timeline, position]) => [
      Number(timeline),
      positionOf(position!),
    ]),
  );
}

function positionOf(text: string): bigint {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Whether a backup leads to a timeline: it belongs to it, or to an ancestor before it was left. */
export function isOnTheWay({ firstLogFile, endPosition }: Manifest, { timeline, leftAt }: Timeline): boolean {
  const own = parseInt(firstLogFile.slice(0, 8), 16);
  if (own === timeline) return true;
  const left = leftAt.get(own);
  return left !== undefined && endPosition !== undefined && positionOf(endPosition) <= left;
}
