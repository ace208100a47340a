import type {
  ChatCompletionAssistantMessageParam as AssistantMessage,
  ChatCompletionContentPart as ChatPart,
  ChatCompletionContentPartRefusal as RefusalPart,
  ChatCompletionContentPartText as TextPart,
  ChatCompletionMessageParam as ChatMessage,
  ChatCompletionMessageToolCall,
} from 'openai/resources/chat/completions';
import { invalidValue } from '../../../base/errors/invalidRequest.ts';
import { introductionOf } from '../../../base/resultFiles.ts';
import type { ResponseItem, ResponseMessage, ResponsePart } from './responseItem.ts';
import type { ResponsesRequest } from './responsesInput.ts';
import { isOutput, type ToolOutput } from './toolItems.ts';

type InputImage = Extract<ResponsePart, { type: 'input_image' }>;
type InputFile = Extract<ResponsePart, { type: 'input_file' }>;
type InputText = Extract<ResponsePart, { type: 'input_text' }>;

/**
 * The chat messages of a response's instructions and input. The text and calls of one model turn become one assistant message, because
 * chat requires the tool results right after it. Earlier reasoning is left out: chat has no place for it, and models do not read
 * reasoning of earlier turns. The files of tool outputs follow in a message of the user: results in chat are texts.
 */
export function toMessages(instructions: string | undefined, input: string | ResponseItem[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  if (instructions !== undefined) messages.push({ role: 'system', content: instructions });
  if (typeof input === 'string') messages.push({ role: 'user', content: input });
  else addItems(messages, input);
  return messages;
}

/** The place in a request of a chat message; of one with the files of tool outputs, those of its parts. */
export type MessagePlace = string | string[];

/** The places of the messages of `toMessages`. A message of several items has that of the first one. */
export function placesOfMessages({
  instructions,
  input,
}: Pick<ResponsesRequest, 'instructions' | 'input'>): MessagePlace[] {
  const messages: ChatMessage[] = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  const places: MessagePlace[] = messages.map(() => 'instructions');
  if (typeof input === 'string') return [...places, 'input'];
  addItems(messages, input, (place) => (places[messages.length - 1] ??= place));
  return places;
}

/** A member of a chat message, as in `.content[0].image_url.url`, in its place. */
export function placeIn(place: MessagePlace, rest: string): string {
  const own = rest
    .replace('.image_url.url', '.image_url')
    .replace('.image_url.detail', '.detail')
    .replace('.file.file_data', '.file_data');
  if (typeof place === 'string') return /^(instructions|input)$|output$/.test(place) ? place : `${place}${own}`;
  const [, index, member] = /^\.content\[(\d+)\](.*)$/.exec(own) ?? [];
  return index === undefined ? 'input' : `${place[Number(index)]}${member}`;
}

interface PlacedPart {
  part: ChatPart;
  place: string;
}

function addItems(
  messages: ChatMessage[],
  items: ResponseItem[],
  onAdded: (place: MessagePlace) => void = () => {},
): void {
  let files: PlacedPart[] = [];
  const addFiles = () => {
    if (files.length === 0) return;
    messages.push({ role: 'user', content: files.map(({ part }) => part) });
    onAdded(files.map(({ place }) => place));
    files = [];
  };
  for (const [index, item] of items.entries()) {
    const place = `input[${index}]`;
    if (isOutput(item)) {
      messages.push(toolMessage(item));
      onAdded(`${place}.output`);
      files.push(...filesOf(item, `${place}.output`));
    } else if (item.type !== 'reasoning') {
      addFiles();
      addItem(messages, item, place);
      onAdded(place);
    }
  }
  addFiles();
}

function addItem(messages: ChatMessage[], item: Exclude<ResponseItem, ToolOutput>, place: string): void {
  switch (item.type) {
    case 'function_call':
      addCall(messages, {
        id: item.call_id,
        type: 'function',
        function: { name: item.name, arguments: item.arguments },
      });
      return;
    case 'custom_tool_call':
      addCall(messages, { id: item.call_id, type: 'custom', custom: { name: item.name, input: item.input } });
      return;
    case 'reasoning':
      return;
    // They are for the run of an agent; a model's request with one is refused.
    case 'mcp_approval_request':
    case 'mcp_approval_response':
      return;
    // References are replaced by their items before the model is called.
    case 'item_reference':
      return;
    case 'message':
    case undefined:
    default:
      addMessage(messages, item, place);
  }
}

function addCall(messages: ChatMessage[], call: ChatCompletionMessageToolCall): void {
  const last = messages.at(-1);
  if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call];
  else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
}

const FILES_ALONE = 'Its files are in the next message of the user.';

function toolMessage({ call_id, output }: ToolOutput): ChatMessage {
  const texts = typeof output === 'string' ? output : output.filter((part) => part.type === 'input_text');
  const content = typeof texts === 'string' ? texts : texts.length > 0 ? texts.map(inputTextPart) : FILES_ALONE;
  return { role: 'tool', tool_call_id: call_id, content };
}

function filesOf({ call_id, output }: ToolOutput, place: string): PlacedPart[] {
  if (typeof output === 'string') return [];
  const files = output.flatMap((part, index) =>
    part.type === 'input_text' ? [] : [{ part: filePart(part), place: `${place}[${index}]` }],
  );
  return files.length > 0 ? [{ part: { type: 'text', text: introductionOf(call_id) }, place }, ...files] : [];
}

function addMessage(messages: ChatMessage[], { role, content }: ResponseMessage, place: string): void {
  const partPlace = (index: number) => `${place}.content[${index}]`;
  if (role === 'assistant') {
    const said = typeof content === 'string' ? content : content.map((part, i) => assistantPart(part, partPlace(i)));
    addAssistant(messages, said);
  } else if (role === 'user') {
    const parts = typeof content === 'string' ? content : content.map((part, i) => userPart(part, partPlace(i)));
    messages.push({ role, content: parts });
  } else {
    const parts = typeof content === 'string' ? content : content.map((part, i) => textPart(part, partPlace(i)));
    messages.push({ role, content: parts });
  }
}

/** Text that follows the calls of the same turn joins their message. */
function addAssistant(messages: ChatMessage[], content: AssistantMessage['content']): void {
  const last = messages.at(-1);
  if (last?.role === 'assistant' && last.content === null) last.content = content;
  else messages.push({ role: 'assistant', content });
}

function assistantPart(part: ResponsePart, place: string): TextPart | RefusalPart {
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.refusal };
  return textPart(part, place);
}

function userPart(part: ResponsePart, place: string): ChatPart {
  return part.type === 'input_image' || part.type === 'input_file' ? filePart(part) : textPart(part, place);
}

function filePart(part: InputImage | InputFile): ChatPart {
  if (part.type === 'input_image') {
    const image_url = { url: part.image_url!, ...(part.detail ? { detail: part.detail } : {}) };
    return { type: 'image_url', image_url, ...breakpointOf(part) };
  }
  const file = { file_data: part.file_data!, ...(part.filename ? { filename: part.filename } : {}) };
  return { type: 'file', file, ...breakpointOf(part) };
}

function textPart(part: ResponsePart, place: string): TextPart {
  if (part.type === 'input_text') return inputTextPart(part);
  if (part.type === 'output_text') return { type: 'text', text: part.text };
  throw invalidValue(`${place}.type`, `Invalid value: '${part.type}'. A message of this role cannot hold such a part.`);
}

function inputTextPart(part: InputText): TextPart {
  return { type: 'text', text: part.text, ...breakpointOf(part) };
}

/** Chat has the same member. */
function breakpointOf({ prompt_cache_breakpoint: breakpoint }: Pick<InputText, 'prompt_cache_breakpoint'>) {
  return breakpoint ? { prompt_cache_breakpoint: breakpoint } : {};
}
