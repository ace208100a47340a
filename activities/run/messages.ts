import type { Conversation, EarlierRun, RecordedStep } from '../../db/runs/stepRecords.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { RunFile } from '../../db/sessions/saveRunFiles.ts';
import type { Json } from '../../providers/provider.ts';

// Without this instruction a model often starts its cut answer again.
const GO_ON = 'Continue exactly where you stopped.';

/**
 * The messages of a run's next model call: the agent's instructions with the session's files, earlier runs of the session (as many as fit
 * in `historyCharsMax`), the current input with its images and sounds (`media`), and the run's steps so far.
 */
export function messagesOf({
  run,
  conversation: { configuration, earlier, steps, files },
  media,
  historyCharsMax,
}: {
  run: RunRow;
  conversation: Conversation;
  media: Json[];
  historyCharsMax: number;
}): Json[] {
  const asked = textOfInput(run.input, files);
  return [
    { role: 'system', content: configuration.instructions + listOf(files) },
    ...historyOf(earlier, files, historyCharsMax),
    { role: 'user', content: media.length === 0 ? asked : [{ type: 'text', text: asked }, ...media] },
    ...steps.flatMap((step) => messagesOfStep(step, steps)),
  ];
}

function listOf(files: RunFile[]): string {
  if (files.length === 0) return '';
  const lines = files
    .slice(0, 200)
    .map(({ path, mediaType, sizeBytes }) => `- ${path} (${mediaType}, ${sizeBytes} bytes)`);
  return `\n\nFiles of this session:\n${lines.join('\n')}`;
}

// The newest are kept: a conversation is cut off at its beginning.
function historyOf(earlier: EarlierRun[], files: RunFile[], charsMax: number): Json[] {
  const kept: Json[][] = [];
  let chars = 0;
  for (const { input, output } of earlier.toReversed()) {
    const asked = textOfInput(input, files);
    const replyText = output.map(outputTextOf).join('\n');
    chars += asked.length + replyText.length;
    if (chars > charsMax) break;
    kept.unshift([
      { role: 'user', content: asked },
      { role: 'assistant', content: replyText },
    ]);
  }
  return kept.flat();
}

// A run may have no text output, and many upstreams refuse a message without text.
function outputTextOf({ text, filename, data }: EarlierRun['output'][number]): string {
  if (text !== undefined) return text;
  return filename === undefined ? JSON.stringify(data) : `[File: ${filename}]`;
}

function textOfInput(input: RunRow['input'], files: RunFile[]): string {
  if (typeof input === 'string') return input;
  const parts = input.map((item) =>
    item.type === 'input_text' ? item.text : `[File: ${pathOf(item.file_id, files)}]`,
  );
  return parts.join('\n\n');
}

function pathOf(fileId: string, files: RunFile[]): string {
  return files.find((file) => file.fileId === fileId)?.path ?? fileId;
}

function messagesOfStep({ kind, result }: RecordedStep, steps: RecordedStep[]): Json[] {
  if (kind !== 'model') return [];
  const { text, toolCalls, outcome } = result;
  if (toolCalls.length === 0) {
    // Many upstreams refuse a message without text.
    const replyText = text === '' ? [] : [{ role: 'assistant', content: text }];
    return [...replyText, ...(outcome === 'final' ? [] : [{ role: 'user', content: GO_ON }])];
  }
  const tool_calls = toolCalls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  return [
    { role: 'assistant', content: text === '' ? null : text, tool_calls },
    ...toolCalls.map(({ id, step }) => ({ role: 'tool', tool_call_id: id, content: answerOf(step, steps) })),
  ];
}

function answerOf(number: number, steps: RecordedStep[]): string {
  const step = steps.find((one) => one.step === number);
  if (!step || step.kind === 'model') return 'The tool was not run.';
  return step.result.isError ? `Error: ${step.result.text}` : step.result.text;
}
