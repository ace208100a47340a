import { isFilePath } from '../../sandbox/filePath.ts';
import type { ProgramFile } from '../../sandbox/sandbox.ts';
import { filePathOf } from '../files/filePath.ts';
import { decodeText } from '../../sandbox/decodeText.ts';
import { mediaTypeOf } from '../files/mediaType.ts';
import { ToolFailure, type SessionFile, type ToolFiles } from '../tool.ts';

// The sandbox's disk has 16 MiB, which includes what the program writes.
const COPIED_BYTES_MAX = 12 * 1024 * 1024;

/** The session's files for a program: first those that its code names, then the smaller ones, and a note on those that do not fit. */
export async function copyIn(session: ToolFiles, code: string): Promise<{ files: ProgramFile[]; leftOut: string[] }> {
  const files: ProgramFile[] = [];
  const leftOut: string[] = [];
  let leftBytes = COPIED_BYTES_MAX;
  for (const { path, sizeBytes } of inOrderOfNeed(await session.list(), code)) {
    const bytes = sizeBytes <= leftBytes && isFilePath(path) ? await session.read(path) : undefined;
    if (!bytes || bytes.length > leftBytes) {
      leftOut.push(path);
      continue;
    }
    leftBytes -= bytes.length;
    files.push({ path, bytes });
  }
  return {
    files,
    leftOut: leftOut.length > 0 ? [`Not given to the program, for want of room: ${some(leftOut)}.`] : [],
  };
}

function inOrderOfNeed(files: SessionFile[], code: string): SessionFile[] {
  const isNamed = ({ path }: SessionFile) => Number(code.includes(path));
  return files.toSorted((a, b) => isNamed(b) - isNamed(a) || a.sizeBytes - b.sizeBytes);
}

/** Saves the program's files and reports each one: a refused file does not keep the others from being saved. */
export async function saveChanged(files: ProgramFile[], session: ToolFiles): Promise<string[]> {
  const saved: string[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const fault = await faultOfSaving(file, session);
    if (fault === undefined) saved.push(`${file.path} (${file.bytes.length} bytes)`);
    else notes.push(`Not saved: ${file.path}. ${fault}`);
  }
  return saved.length > 0 ? [`Saved into the session: ${some(saved)}.`, ...notes] : notes;
}

async function faultOfSaving({ path: given, bytes }: ProgramFile, session: ToolFiles): Promise<string | undefined> {
  try {
    const path = filePathOf(given);
    await session.write({ path, bytes, mediaType: mediaTypeOf(path, decodeText(bytes) !== undefined) });
    return undefined;
  } catch (error) {
    if (error instanceof ToolFailure) return error.message;
    throw error;
  }
}

const some = (names: string[]) =>
  names.length > 30 ? `${names.slice(0, 30).join(', ')} and ${names.length - 30} more` : names.join(', ');
