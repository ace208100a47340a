import type { CallServices } from '../../calls/services.ts';
import type { KeptResponse } from '../../calls/text/responses/keepResponse.ts';
import type { ResponseItem, ResponseMessage, ResponsePart } from '../../calls/text/responses/responseItem.ts';

/** An item as clients read it: what they may leave out when they send it is there. */
type InputItem = { id: string; type: string };

/**
 * The items of a response's input, references replaced by the items that are still kept. Each has an id of its own: one that came without,
 * or with that of an earlier item, gets the same at each reading.
 */
export async function readInputItems(
  { db }: Pick<CallServices, 'db'>,
  workspaceId: string,
  { id: responseId, input }: KeptResponse,
): Promise<InputItem[]> {
  const sent: ResponseItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const references = sent.flatMap((item) => (item.type === 'item_reference' ? [item.id] : []));
  const kept = references.length > 0 ? await db.responseItems.find(workspaceId, references) : undefined;
  const seen = new Set<string>();
  return sent.map((one, index) => {
    const text = one.type === 'item_reference' ? kept!.get(one.id) : undefined;
    const item = text === undefined ? one : (JSON.parse(text) as ResponseItem);
    const { id: own, type = 'message' } = item as { id?: unknown; type?: string };
    const prefix = type === 'message' ? 'msg' : 'item';
    const id =
      typeof own === 'string' && !seen.has(own) ? own : `${prefix}_${responseId.slice('resp_'.length)}_${index}`;
    seen.add(id);
    return { ...completed(item), type, id };
  });
}

/** The item with the members that clients' types require of an item that they read. */
function completed(item: ResponseItem): object {
  switch (item.type) {
    case 'function_call':
    case 'custom_tool_call':
      return { ...item, status: item.status ?? 'completed' };
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const { output, status } = item;
      const whole = typeof output === 'string' ? output : output.map(completedPart);
      return { ...item, status: status ?? 'completed', output: whole };
    }
    case 'reasoning':
      return { ...item, summary: item.summary ?? [] };
    case 'item_reference':
    case 'mcp_approval_request':
    case 'mcp_approval_response':
      return item;
    case 'message':
    case undefined:
    default:
      return { ...item, status: item.status ?? 'completed', content: partsOf(item) };
  }
}

function partsOf({ role, content }: ResponseMessage): object[] {
  const parts: ResponsePart[] =
    typeof content !== 'string'
      ? content
      : [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: content }];
  return parts.map(completedPart);
}

function completedPart(part: ResponsePart): object {
  if (part.type === 'input_image') return { ...part, detail: part.detail ?? 'auto' };
  if (part.type !== 'output_text') return part;
  return { ...part, annotations: part.annotations ?? [], logprobs: part.logprobs ?? [] };
}
