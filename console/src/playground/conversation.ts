import type { Failure } from './failures.ts';
import { STANDARD, type Parameters } from './parameters.ts';

export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** The figures of a call known at its end; the rest is read from its request. */
export interface Figures {
  requestId: string;
  costUsd: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** From sending to the first token, and to the end. */
  firstMs: number | null;
  tookMs: number;
}

/** The figures in an answer's headers, of a call begun at a time of `performance`. */
export function figuresOf({ headers }: Response, begunMs: number): Figures {
  const cost = headers.get('x-cost-usd');
  return {
    requestId: headers.get('x-request-id') ?? '',
    costUsd: cost ? Number(cost) : null,
    inputTokens: null,
    outputTokens: null,
    firstMs: null,
    tookMs: performance.now() - begunMs,
  };
}

export interface Message {
  role: 'user' | 'assistant' | 'tool';
  content: string;
  /** As data: addresses. */
  images?: string[];
  reasoning?: string;
  toolCalls?: ToolCall[];
  toolCallId?: string;
  finishReason?: string;
  figures?: Figures;
}

/** One model's side of a conversation. */
export interface Thread {
  id: string;
  /** Empty: the first model of the installation. */
  model: string;
  messages: Message[];
  failure?: Failure;
}

export interface Conversation {
  id: string;
  kind: 'chat';
  title: string;
  updatedAt: string;
  parameters: Parameters;
  /** One, or two side by side. */
  threads: Thread[];
}

export const newId = (): string => crypto.randomUUID().slice(0, 13);

export const newThread = (model: string, messages: Message[] = []): Thread => ({ id: newId(), model, messages });

export const newConversation = (model = '', parameters: Parameters = STANDARD): Conversation => ({
  id: newId(),
  kind: 'chat',
  title: '',
  updatedAt: new Date().toISOString(),
  parameters,
  threads: [newThread(model)],
});

export const isEmpty = ({ threads }: Conversation): boolean => threads.every(({ messages }) => messages.length === 0);

const TITLE_LENGTH = 80;

/** The first question, shortened. */
export function titleOf({ threads }: Conversation): string {
  const text = threads[0]?.messages.find(({ role }) => role === 'user')?.content ?? '';
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line || 'Image';
}

export const withThread = (conversation: Conversation, id: string, change: Partial<Thread>): Conversation => ({
  ...conversation,
  threads: conversation.threads.map((thread) => (thread.id === id ? { ...thread, ...change } : thread)),
});

/** The messages before the nth question: both sides have the same questions, but perhaps not the same answers and tool calls. */
export function beforeQuestion(messages: Message[], nth: number): Message[] {
  let questions = 0;
  const at = messages.findIndex(({ role }) => role === 'user' && questions++ === nth);
  return at < 0 ? messages : messages.slice(0, at);
}

/** A message in the API's form. */
export function sentMessage({ role, content, images = [], toolCalls, toolCallId }: Message): object {
  if (role === 'tool') return { role, tool_call_id: toolCallId, content };
  if (images.length > 0)
    return {
      role,
      content: [
        ...(content ? [{ type: 'text', text: content }] : []),
        ...images.map((url) => ({ type: 'image_url', image_url: { url } })),
      ],
    };
  if (!toolCalls) return { role, content };
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }));
  return { role, content: content || null, tool_calls: calls };
}
