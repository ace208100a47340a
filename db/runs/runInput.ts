import type { ConversationItem, InputItem, RunRow } from './runRow.ts';

/** The input of a run whose content is kept. */
export type RunInput = RunRow['input'];

/** The conversation in a run's input; undefined for the input of one message. */
export function conversationIn(input: RunInput): ConversationItem[] | undefined {
  if (typeof input === 'string' || !input.some(isOfConversation)) return undefined;
  return input.filter(isOfConversation);
}

function isOfConversation(item: InputItem): item is ConversationItem {
  return item.type === 'message' || item.type === 'function_call' || item.type === 'function_call_output';
}

/** The files in a run's input, and their places in it. */
export function filesIn(input: RunInput): { fileId: string; place: (string | number)[] }[] {
  if (typeof input === 'string') return [];
  return input.flatMap((item, at) => {
    if (item.type === 'input_file') return [{ fileId: item.file_id, place: [at] }];
    if (item.type !== 'message' || typeof item.content === 'string') return [];
    return item.content.flatMap((part, index) =>
      part.type === 'input_file' ? [{ fileId: part.file_id, place: [at, 'content', index] }] : [],
    );
  });
}

/** The same by id. An input may name a file more than once. */
export const fileIdsOf = (input: RunInput): string[] => [...new Set(filesIn(input).map(({ fileId }) => fileId))];
