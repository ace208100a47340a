import * as z from 'zod';
import type { Language, Outcome, Sandbox } from '../../sandbox/sandbox.ts';
import { defineTool } from '../defineTool.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { copyIn, saveChanged } from './programFiles.ts';

const GUIDES: Record<Language, string> = {
  javascript:
    'JavaScript: print with console.log; readFile(path) gives text, readFileBytes(path) a Uint8Array, writeFile(path, textOrBytes) writes, listFiles() lists; the value of the last expression is told too. There are no modules, timers or other objects of browsers and Node.',
  python: 'Python: the standard library; the files are in the working directory.',
};

/** Runs a program over the session's files, in the sandbox. */
export function runCode(sandbox: Sandbox): Tool {
  const { languages } = sandbox;
  return defineTool({
    name: 'run_code',
    description: [
      'Runs a program in a sandbox and tells what it printed. It has no network. The files of the session are there under their paths; those that it writes are saved into the session. Nothing else stays for the next call.',
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
  const { files, leftOut } = await copyIn(context.files, code);
  const outcome = await sandbox.run({ language, code, files }, context.signal);
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
