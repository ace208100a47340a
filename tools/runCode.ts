import * as z from 'zod';
import { isFilePath, decodeText } from './sandbox/files.ts';
import type { Language, Outcome, Sandbox, ProgramFile } from './sandbox/sandbox.ts';
import { documentKindOf, documentText, workbookJson } from './documents/readDocument.ts';
import { filePathOf, mediaTypeOf, readable } from './sessionFiles.ts';
import {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolResult,
  ToolFailure,
  type SessionFile,
  type ToolFiles,
} from './tool.ts';

const GUIDES: Record<Language, string> = {
  javascript:
    'JavaScript: print with console.log; readFile(path) gives text, readFileBytes(path) a Uint8Array, ' +
    'writeFile(path, textOrBytes) writes, listFiles() lists; the value of the last expression is told too. ' +
    'There are no modules, timers or other objects of browsers and Node.',
  python: 'Python: the standard library; the files are in the working directory.',
};

/** Runs a program over the session's files, in the sandbox. */
export function runCode(sandbox: Sandbox): Tool {
  const { languages } = sandbox;
  return defineTool({
    name: 'run_code',
    description: [
      'Runs a program in a sandbox and tells what it printed. It has no network. The files of the session are ' +
        'there under their paths; those that it writes are saved into the session. Nothing else stays for the next call.',
      'Of a workbook a.xlsx a program that names a.xlsx.json can read there its sheets as a list of {name, ' +
        'rows}, each row a list of numbers, texts, truth values and nulls; of other documents (DOCX, PPTX, PDF, ' +
        'HTML) their text in a.docx.txt.',
      ...languages.map((language) => GUIDES[language]),
    ].join(' '),
    kind: 'sandbox',
    input: z.strictObject({
      language: z.enum(languages).default(languages[0]!),
      code: z.string().min(1).max(200_000).describe('The whole program.'),
    }),
    run: (program, context) => runIn(sandbox, program, context),
  });
}

async function runIn(sandbox: Sandbox, { language, code }: { language: Language; code: string }, context: ToolContext) {
  const { files, leftOut } = await copyIn(context, code);
  const { programMs: wallMs } = context;
  const outcome = await sandbox.run({ language, code, files, ...(wallMs && { wallMs }) }, context.signal);
  context.signal.throwIfAborted();
  const saved = await saveChanged(outcome.files, context.files);
  return present(outcome, [...leftOut, ...saved]);
}

function present({ ending, stdout, stderr, result, durationMs }: Outcome, notes: string[]): ToolResult {
  const parts = [
    stdout.trimEnd(),
    stderr && `[Errors]\n${stderr.trimEnd()}`,
    result !== null && `[Value of the last expression]\n${result}`,
    ending !== 'ok' && `[The program ended: ${ENDING_TEXTS[ending]}.]`,
    ...notes.map((note) => `[${note}]`),
  ];
  const text = parts.filter(Boolean).join('\n') || '[The program printed nothing.]';
  return { text, isError: ending !== 'ok', sandboxMs: durationMs };
}

const ENDING_TEXTS: Record<Exclude<Outcome['ending'], 'ok'>, string> = {
  error: 'it failed',
  timed_out: 'it ran longer than it may',
  out_of_memory: 'it needed more memory than it may',
  output_limit: 'it printed more than it may',
  disk_limit: 'its files were larger than they may be',
  cancelled: 'it was cancelled',
};

// The sandbox's disk has 16 MiB, including the program's own files.
const COPIED_BYTES_MAX = 12 * 1024 * 1024;

/** The session's files for a program: first those that its code names, then the smaller ones, and a note about those that do not fit. */
async function copyIn(
  { files: session, signal }: ToolContext,
  code: string,
): Promise<{ files: ProgramFile[]; leftOut: string[] }> {
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
  const contents = await contentsOf(files, code, signal);
  for (const { path, bytes } of contents.files) {
    leftBytes -= bytes.length;
    if (leftBytes < 0) leftOut.push(path);
    else files.push({ path, bytes });
  }
  const noRoom = leftOut.length > 0 ? [`Not given to the program, for want of room: ${some(leftOut)}.`] : [];
  return { files, leftOut: [...noRoom, ...contents.faults] };
}

/** The contents of documents in the code, as additional files: the sheets of a workbook as JSON, the text of others. */
async function contentsOf(files: readonly ProgramFile[], code: string, signal: AbortSignal) {
  const contents: ProgramFile[] = [];
  const faults: string[] = [];
  const paths = new Set(files.map(({ path }) => path));
  for (const { path, bytes } of files) {
    const kind = documentKindOf(bytes, path);
    for (const form of kind ? FORMS : []) {
      const target = path + form;
      if (paths.has(target) || !code.includes(target)) continue;
      try {
        const content = form === '.json' ? workbookJson(bytes, signal) : documentText(kind!, bytes, signal);
        contents.push({ path: target, bytes: Buffer.from(await readable(content)) });
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        faults.push(`Not there: ${target}. ${error.message}`);
      }
    }
  }
  return { files: contents, faults };
}

const FORMS = ['.json', '.txt'] as const;

function inOrderOfNeed(files: SessionFile[], code: string): SessionFile[] {
  const isNamed = ({ path }: SessionFile) => Number(code.includes(path));
  return files.toSorted((a, b) => isNamed(b) - isNamed(a) || a.sizeBytes - b.sizeBytes);
}

/** Saves the program's files and reports each one: a refused file does not prevent the others from being saved. */
async function saveChanged(files: ProgramFile[], session: ToolFiles): Promise<string[]> {
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
