import type { Model } from '../../../db/catalog/catalog.ts';
import type { Context } from '../../context.ts';
import { runSocketCall } from '../../sockets/socketCall.ts';
import type { Services } from '../../services.ts';
import { InvalidRequest, invalidValue } from '../../../base/errors/invalidRequest.ts';
import { Answer } from './answer.ts';
import { answerOrder } from './answerOrder.ts';
import type { ResponseInput } from '../session/clientEvents.ts';
import type { Conversation } from '../session/conversation.ts';
import type { Hearing } from '../input/hearing.ts';
import type { Emit } from '../session/outputItems.ts';
import { asError } from '../session/sessionErrors.ts';
import { endedByMoney } from '../../../calls/funds.ts';
import type { Session } from '../session/sessionConfig.ts';

interface TurnsOptions {
  ctx: Context;
  services: Services;
  model: Model;
  conversation: Conversation;
  hearing: Hearing;
  emit: Emit;
  nextRequestId: () => string;
  session: () => Session;
  onError: (error: unknown, eventId: string | null) => void;
  /** The user was silent for the session's idle time after an answer. */
  onSilence: () => void;
}

// Responses out of band beside the one of the conversation.
const AT_ONCE_MAX = 4;

type CancelReason = Parameters<Answer['cancel']>[0];

interface Turn {
  isInConversation: boolean;
  answer?: Answer;
  cancelled?: CancelReason;
  onCancelled?: () => void;
  /** The client asked for it, so it waits for its end. */
  isAsked?: boolean;
  /** What the end of the user's speech asked for while this one ran. */
  isFollowed?: boolean;
  /** The response that the client asked for after the end of this one, while its cost was still being counted. */
  next?: () => void;
}

/** The responses of a session: waiting for what was said -> answering -> done. One of them at a time is part of the conversation. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #turns = new Map<Turn, Promise<void>>();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Begins a response. Throws where one of the conversation runs already. */
  begin(asked: ResponseInput, eventId: string | null): void {
    if (this.#options.session().type !== 'realtime')
      throw invalidValue('type', 'A transcription session makes no responses.');
    const isInConversation = asked.conversation !== 'none';
    const current = isInConversation ? this.#current() : undefined;
    if (current?.answer?.isDone && !current.next) {
      current.next = () => this.#begin({ isInConversation, isAsked: true }, asked, eventId);
      return;
    }
    if (current) throw alreadyActive(current);
    if (this.#turns.size >= AT_ONCE_MAX)
      throw invalidValue('response', `At most ${AT_ONCE_MAX} responses run at once. Wait until one is done.`);
    this.#begin({ isInConversation, isAsked: true }, asked, eventId);
  }

  /** Begins a response after the user's turn; once the running one is done. */
  follow(): void {
    const current = this.#current();
    if (current) current.isFollowed = true;
    else this.#begin({ isInConversation: true }, {}, null);
  }

  /** The user began to speak. */
  onSpeech({ interrupts }: { interrupts: boolean }): void {
    clearTimeout(this.#idle);
    const current = this.#current();
    if (current && interrupts) this.#cancel(current, 'turn_detected');
  }

  /** Cancels a response, without an id that of the conversation. Throws where none runs. */
  cancel(id: string | undefined): void {
    const turn = id === undefined ? this.#current() : [...this.#turns.keys()].find(({ answer }) => answer?.id === id);
    if (!turn)
      throw new InvalidRequest(
        'response_cancel_not_active',
        id === undefined ? null : 'response_id',
        'Cancellation failed: no such response is active.',
      );
    this.#cancel(turn, 'client_cancelled');
  }

  /** Resolves when no response runs. */
  async settled(): Promise<void> {
    await Promise.all(this.#turns.values());
  }

  /** The client has gone: no more responses. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#idle);
  }

  #current(): Turn | undefined {
    return [...this.#turns.keys()].find(({ isInConversation }) => isInConversation);
  }

  #cancel(turn: Turn, reason: CancelReason): void {
    turn.cancelled ??= reason;
    turn.onCancelled?.();
    turn.answer?.cancel(reason);
  }

  #begin(turn: Turn, asked: ResponseInput, eventId: string | null): void {
    if (this.#isClosed) return;
    clearTimeout(this.#idle);
    const running = this.#run(turn, asked)
      .catch((error: unknown) => this.#options.onError(error, eventId))
      .finally(() => {
        this.#turns.delete(turn);
        turn.next?.();
        if (turn.isFollowed) this.follow();
        else if (turn.isInConversation && !turn.next) this.#awaitUser(turn);
      });
    this.#turns.set(turn, running);
  }

  async #run(turn: Turn, asked: ResponseInput): Promise<void> {
    const { ctx, services, model, conversation, hearing, emit, nextRequestId, session: sessionNow } = this.#options;
    const cancelled = new Promise<void>((resolve) => (turn.onCancelled = resolve));
    await Promise.race([cancelled, asked.input ? hearing.hearInput(asked.input, sessionNow()) : hearing.done()]);
    const session = sessionNow();
    // Speech stopped a response that its client has not seen yet.
    const isUnseen = turn.cancelled === 'turn_detected' && !turn.isAsked;
    if (isUnseen || this.#isClosed || session.type !== 'realtime') return;
    const order = await answerOrder({ ctx, services, model, session, conversation, emit }, asked);
    const answer = (turn.answer = new Answer(services, order));
    if (turn.cancelled) answer.cancel(turn.cancelled);
    void emit('rate_limits.updated', { rate_limits: await rateLimitsOf(ctx, services) });
    await runSocketCall(ctx, services, answer, nextRequestId());
    if (answer.failure) throw asError(answer.failure);
    if (answer.isOutOfMoney) throw await endedByMoney(ctx.state, services, answer.neededNanos);
  }

  #awaitUser({ answer }: Turn): void {
    const session = this.#options.session();
    const idleMs = session.audio.input.turn_detection?.idle_timeout_ms ?? null;
    if (idleMs === null || this.#isClosed || !answer) return;
    this.#idle = setTimeout(() => this.#options.onSilence(), idleMs + answer.spokenMs).unref();
  }
}

const alreadyActive = ({ answer }: Turn): InvalidRequest =>
  new InvalidRequest(
    'conversation_already_has_active_response',
    null,
    `The conversation already has an active response: ${answer?.id ?? 'it waits for what was said'}. Wait until it is done, or cancel it.`,
  );

/** The limits of the session's key as an event shows them. Responses of a session use no requests; the socket itself used one. */
export async function rateLimitsOf(ctx: Context, { limits }: Services): Promise<object[]> {
  const headers = new Map<string, unknown>();
  const res = { setHeader: (name: string, value: unknown) => headers.set(name, value) };
  await limits.setHeaders({ res }, ctx.state.key);
  const numberOf = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? 0);
  return [
    {
      name: 'requests',
      limit: numberOf('limit-requests'),
      remaining: numberOf('remaining-requests'),
      reset_seconds: 60 / Math.max(1, numberOf('limit-requests')),
    },
  ];
}
