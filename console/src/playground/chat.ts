import { streamAnswer } from './answerStream.ts';
import {
  beforeQuestion,
  isEmpty,
  newConversation,
  newThread,
  sentMessage,
  titleOf,
  withThread,
  type Conversation,
  type Message,
  type Thread,
} from './conversation.ts';
import { failureIn } from './failures.ts';
import { modelNamed, type Model } from './models.ts';
import { bodyOf, type Parameters } from './parameters.ts';
import { supportedOf } from './supported.ts';

export interface ChatState {
  conversation: Conversation;
  /** The ids of the threads whose answers stream. */
  running: string[];
}

/** A conversation with one model, or with two side by side: each question goes to both. A changed state is a new object. */
export class Chat {
  #state: ChatState;
  readonly #keep: (conversation: Conversation) => void;
  readonly #listeners = new Set<() => void>();
  readonly #stops = new Map<string, AbortController>();
  /** Answers that the page has not drawn yet: at most one redraw a frame. */
  readonly #undrawn = new Map<string, Message[]>();
  #frame = 0;
  /** Those of the catalogue: the first one is the model of threads that name none. */
  models: Model[] = [];

  constructor({ model, keep }: { model: string | undefined; keep: (conversation: Conversation) => void }) {
    this.#keep = keep;
    this.#state = { conversation: newConversation(model), running: [] };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ChatState => this.#state;

  modelOf = ({ model }: Thread): string => model || (this.models[0]?.id ?? '');

  /** What is sent to a model: the parameters that it supports, and messages. */
  bodyFor(model: string, messages: object[], parameters = this.#state.conversation.parameters): object {
    return bodyOf(model, supportedOf(parameters, modelNamed(this.models, model)), messages);
  }

  /** Begins an empty conversation with the same models and parameters. */
  begin(): void {
    const { parameters, threads } = this.#state.conversation;
    const next = newConversation('', parameters);
    this.open({ ...next, threads: threads.map(({ model }) => newThread(model)) });
  }

  open(conversation: Conversation): void {
    this.stop();
    this.#undrawn.clear();
    this.#set({ conversation, running: [] });
  }

  stop(): void {
    for (const stop of this.#stops.values()) stop.abort();
  }

  change(parameters: Partial<Parameters>): void {
    const { conversation } = this.#state;
    this.#change({ ...conversation, parameters: { ...conversation.parameters, ...parameters } });
  }

  setModel(threadId: string, model: string): void {
    this.#change(withThread(this.#state.conversation, threadId, { model }));
  }

  /** Puts another model beside the first, which reads the same conversation. */
  compare(model: string): void {
    const { conversation } = this.#state;
    const messages = conversation.threads[0]!.messages;
    this.#change({ ...conversation, threads: [conversation.threads[0]!, newThread(model, messages)] });
  }

  close(threadId: string): void {
    this.#stops.get(threadId)?.abort();
    const { conversation } = this.#state;
    this.#change({ ...conversation, threads: conversation.threads.filter(({ id }) => id !== threadId) });
    this.#save();
  }

  send(content: string, images: string[]): void {
    const question: Message = { role: 'user', content, ...(images.length > 0 && { images }) };
    for (const thread of this.#state.conversation.threads) void this.#ask(thread, [...thread.messages, question]);
  }

  /** Sends the nth question again with another text, to every model. */
  edit(nth: number, content: string): void {
    for (const thread of this.#state.conversation.threads) {
      const before = beforeQuestion(thread.messages, nth);
      const question = thread.messages[before.length];
      if (question) void this.#ask(thread, [...before, { ...question, content }]);
    }
  }

  /** Asks for the last answer of one model once more. */
  again(threadId: string): void {
    const thread = this.#thread(threadId);
    if (!thread) return;
    const last = thread.messages.findLastIndex(({ role }) => role !== 'assistant');
    void this.#ask(thread, thread.messages.slice(0, last + 1));
  }

  answerTools(threadId: string, results: Message[]): void {
    const thread = this.#thread(threadId);
    if (thread) void this.#ask(thread, [...thread.messages, ...results]);
  }

  async #ask(thread: Thread, asked: Message[]): Promise<void> {
    const { id } = thread;
    const model = this.modelOf(thread);
    const stop = new AbortController();
    this.#stops.set(id, stop);
    this.#setThread(id, { model, messages: [...asked, { role: 'assistant', content: '' }], failure: undefined });
    this.#set({ ...this.#state, running: [...this.#state.running, id] });
    this.#save();
    let requestId: string | null = null;
    try {
      const body = this.bodyFor(model, asked.map(sentMessage));
      const show = (answer: Message) => {
        requestId = answer.figures?.requestId ?? requestId;
        this.#draw(id, [...asked, answer]);
      };
      await streamAnswer(body, { signal: stop.signal, show });
    } catch (error) {
      this.#flush();
      if (!stop.signal.aborted) this.#setThread(id, { failure: failureIn(error, requestId) });
    }
    this.#flush();
    this.#withoutEmptyAnswer(id);
    this.#stops.delete(id);
    this.#set({ ...this.#state, running: this.#state.running.filter((one) => one !== id) });
    this.#save();
  }

  /** Removes an answer that never began. */
  #withoutEmptyAnswer(id: string): void {
    const messages = this.#thread(id)?.messages;
    const last = messages?.at(-1);
    if (!messages || last?.role !== 'assistant') return;
    if (last.content === '' && !last.toolCalls && !last.reasoning && !last.figures)
      this.#setThread(id, { messages: messages.slice(0, -1) });
  }

  #draw(id: string, messages: Message[]): void {
    this.#undrawn.set(id, messages);
    this.#frame ||= requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    let { conversation } = this.#state;
    for (const [id, messages] of this.#undrawn) conversation = withThread(conversation, id, { messages });
    this.#undrawn.clear();
    if (conversation !== this.#state.conversation) this.#change(conversation);
  }

  #thread = (id: string): Thread | undefined => this.#state.conversation.threads.find((thread) => thread.id === id);

  #setThread(id: string, change: Partial<Thread>): void {
    this.#change(withThread(this.#state.conversation, id, change));
  }

  #save(): void {
    const { conversation } = this.#state;
    if (isEmpty(conversation)) return;
    const updatedAt = new Date().toISOString();
    this.#keep({ ...conversation, title: titleOf(conversation), updatedAt });
  }

  #change(conversation: Conversation): void {
    this.#set({ ...this.#state, conversation });
  }

  #set(state: ChatState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
