import { invalidValue } from '../../../base/errors/invalidRequest.ts';
import type { ResponseItem } from './responseItem.ts';

const SHOWN_CHARS = 100;

type Call = Extract<ResponseItem, { type: 'function_call' | 'custom_tool_call' }>;
export type ToolOutput = Extract<ResponseItem, { type: 'function_call_output' | 'custom_tool_call_output' }>;

/** Throws the 400 of a conversation with a tool's output without its call before it, or with a call that has no output. */
export function refuseUnpairedItems(items: readonly ResponseItem[]): void {
  const open = new Map<string, number>();
  const calls = new Set<string>();
  for (const [at, item] of items.entries()) {
    if (isCall(item)) {
      calls.add(item.call_id);
      open.set(item.call_id, at);
    } else if (isOutput(item)) {
      if (!calls.has(item.call_id)) throw unpaired(`input[${at}].call_id`, 'call for the output with', item.call_id);
      open.delete(item.call_id);
    }
  }
  for (const [id, at] of open) throw unpaired(`input[${at}].call_id`, 'output for the call with', id);
}

const unpaired = (param: string, what: string, id: string) =>
  invalidValue(
    param,
    `There is no ${what} the call_id '${id.slice(0, SHOWN_CHARS)}'. Send each call with its output after it.`,
  );

const isCall = (item: ResponseItem): item is Call => item.type === 'function_call' || item.type === 'custom_tool_call';

/** Whether an item is what a tool has returned. */
export const isOutput = (item: ResponseItem): item is ToolOutput =>
  item.type === 'function_call_output' || item.type === 'custom_tool_call_output';
