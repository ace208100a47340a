import { createClient, ErrorReply } from '@redis/client';
import { answeredWithin, waitAtMost } from '../../base/waiting.ts';
import { newId } from '../../db/ids.ts';
import type { LimitClass } from '../context.ts';
import { COUNT, type Step, type StepAnswer } from './limitScript.ts';
import { MINUTE_MS, type Quota, type Used } from './rate.ts';

// Timeout of a request to the store.
const ANSWER_WAIT_MS = 500;
const LATE = `the limit store did not answer within ${ANSWER_WAIT_MS} ms`;
// Pause before the next attempt after a failure of the store.
const PAUSE_MS = 1_000;
const RECONNECT_MS = 500;
const PROBE_KEY = 'ledgerline:probe';
// The server runs such a command alone, for about half a millisecond.
const STEPS_MAX = 128;

/** The key and class of a request. A `steering` request takes no slot, and is limited only by the rate. */
interface Slot {
  keyId: string;
  limitClass: LimitClass;
}

/** A request to count, with its key's limits. */
export interface Entry extends Slot, Quota {}

/** The result of counting a request, and the key's usage afterwards. */
interface Taken {
  refusedBy: 'rate' | 'concurrency' | null;
  used: Used;
}

/** A request that waits to be counted; `counts` is false for one that only looks. Answered with undefined while the server is unreachable. */
interface Waiting extends Quota {
  takesSlot: boolean;
  counts: boolean;
  answer: (taken: Taken | undefined) => void;
}

/** The slots of a key, or those of its followers, as this process holds them. One step at a time says and asks something about them. */
interface Counter {
  rateKey: string;
  slotsKey: string;
  own: number;
  /** What the server was told last. */
  told: number;
  waiting: Waiting[];
  isBusy: boolean;
}

export type LimitStore = Awaited<ReturnType<typeof openLimitStore>>;

/**
 * Counters in a Valkey or Redis server, timed by its clock. `take` and `look` return undefined while the server is unreachable. `onChange`
 * is called once when it becomes unreachable, again for each refusal that it then answers, such as a wrong password, and once when it is
 * reachable again. What one turn of the event loop asks is one command, and equal requests of a key are one step of it: a busy process pays
 * the client's work once for many requests.
 */
export async function openLimitStore(
  url: string,
  onChange: (away: unknown) => void,
  { leaseMs = 30_000 }: { leaseMs?: number } = {},
) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    scripts: { count: COUNT },
    socket: { connectTimeout: 1_000, reconnectStrategy: RECONNECT_MS },
  });
  const by = { processId: newId('proc'), leaseMs };
  const counters = new Map<string, Counter>();
  const sending = new Set<Promise<void>>();
  let due = new Set<Counter>();
  let isAway = false;
  let refusal: string | undefined;
  let pausedUntilMs = 0;
  client.on('error', pause);
  client.on('ready', () => (pausedUntilMs = 0));
  await waitAtMost(ANSWER_WAIT_MS * 5, client.connect().catch(pause));

  function ask(slot: Slot, asked: Omit<Waiting, 'answer'>): Promise<Taken | undefined> {
    if (isPaused()) return Promise.resolve(undefined);
    const counter = counterOf(slot);
    return new Promise((answer) => {
      counter.waiting.push({ ...asked, answer });
      tell(counter);
    });
  }

  const isPaused = () => performance.now() < pausedUntilMs;

  /** At the end of this turn, or when the step before it is answered. */
  function tell(counter: Counter): void {
    if (counter.isBusy || isPaused()) return;
    if (due.size === 0) setImmediate(sendDue);
    due.add(counter);
  }

  function sendDue(): void {
    const all = [...due];
    due = new Set();
    for (let at = 0; at < all.length; at += STEPS_MAX) {
      const sent = send(all.slice(at, at + STEPS_MAX).map(takeStep)).finally(() => sending.delete(sent));
      sending.add(sent);
    }
  }

  async function send(steps: SentStep[]): Promise<void> {
    let answers: StepAnswer[] | undefined;
    try {
      const asked = client.count(
        steps.map(({ step }) => step),
        by,
      );
      answers = await answeredWithin(ANSWER_WAIT_MS, asked, LATE);
      resume();
    } catch (error) {
      pause(error);
    }
    for (const [at, { counter, requests }] of steps.entries()) {
      counter.isBusy = false;
      if (answers) answer(counter, requests, answers[at]!);
      else giveUp(counter, requests);
      // Another command failed in the meantime: no command is sent until the pause ends.
      if (counter.waiting.length > 0 && isPaused()) giveUp(counter, []);
      if (counter.waiting.length > 0 || counter.own !== counter.told) tell(counter);
      else if (counter.own === 0) counters.delete(counter.slotsKey);
    }
  }

  function counterOf({ keyId, limitClass }: Slot): Counter {
    const slots = limitClass === 'follower' ? 'followers' : 'slots';
    // The braces keep all counters of a key on the same node of a cluster.
    const slotsKey = `ledgerline:${slots}:{${keyId}}:processes`;
    let counter = counters.get(slotsKey);
    if (!counter) {
      counter = { rateKey: `ledgerline:rate:{${keyId}}`, slotsKey, own: 0, told: 0, waiting: [], isBusy: false };
      counters.set(slotsKey, counter);
    }
    return counter;
  }

  async function sentAll(): Promise<void> {
    while (sending.size > 0 || due.size > 0) {
      sendDue();
      await Promise.all(sending);
    }
  }

  function pause(error: unknown): void {
    pausedUntilMs = performance.now() + PAUSE_MS;
    const refused = error instanceof ErrorReply ? error.message : refusal;
    if (!isAway || refused !== refusal) onChange(error);
    refusal = refused;
    isAway = true;
  }

  function resume(): void {
    if (isAway) onChange(undefined);
    isAway = false;
    refusal = undefined;
  }

  return {
    /** Counts a request, unless it exceeds one of its limits. */
    take: ({ rpm, concurrency, ...slot }: Entry): Promise<Taken | undefined> =>
      ask(slot, { rpm, concurrency, takesSlot: slot.limitClass !== 'steering', counts: true }),
    /** The usage of a key. */
    look: async (keyId: string): Promise<Used | undefined> => {
      const asked = { rpm: 1, concurrency: 1, takesSlot: true, counts: false };
      return (await ask({ keyId, limitClass: 'call' }, asked))?.used;
    },
    /** Releases a slot. Until the server can be told, it is held; at most until the lease of this process expires. */
    free: (slot: Slot): void => {
      const counter = counterOf(slot);
      counter.own -= 1;
      tell(counter);
    },
    /** Renews the lease of all slots. */
    renew: (): void => counters.forEach(tell),
    /** Whether the server counts now: a full one, and one that is a replica, answers but takes no writes. */
    answers: async (): Promise<boolean> => {
      if (!client.isReady) return false;
      return answeredWithin(ANSWER_WAIT_MS, client.set(PROBE_KEY, '', { PX: PAUSE_MS }), LATE).then(
        () => true,
        () => false,
      );
    },
    close: async (): Promise<void> => {
      // Recently released slots are still being sent.
      if (client.isReady)
        await waitAtMost(
          ANSWER_WAIT_MS,
          sentAll().then(() => client.close()),
        );
      if (client.isOpen) client.destroy();
    },
  };
}

interface SentStep {
  counter: Counter;
  /** Those that the step is for. */
  requests: Waiting[];
  step: Step;
}

/** The next step of a counter: for the first request that waits, and its equals right behind it. */
function takeStep(counter: Counter): SentStep {
  const { rateKey, slotsKey, own, waiting } = counter;
  const [first] = waiting;
  const end = first ? waiting.findIndex((one) => !isEqual(one, first)) : 0;
  const requests = waiting.splice(0, end === -1 ? waiting.length : end);
  counter.isBusy = true;
  counter.told = own;
  const { rpm = 1, concurrency = 1, takesSlot = false, counts = false } = first ?? {};
  const asked = first && (counts ? requests.length : 0);
  return { counter, requests, step: { rateKey, slotsKey, own, asked, rpm, concurrency, takesSlots: takesSlot } };
}

const isEqual = (one: Waiting, other: Waiting): boolean =>
  one.rpm === other.rpm &&
  one.concurrency === other.concurrency &&
  one.takesSlot === other.takesSlot &&
  one.counts === other.counts;

/** Answers the requests of a step in their order, each as if it had been counted alone. */
function answer(counter: Counter, requests: Waiting[], { counted, refusedBy, backlogMs, inFlight }: StepAnswer): void {
  for (const [at, request] of requests.entries()) {
    const isCounted = request.counts && at < counted;
    if (isCounted && request.takesSlot) {
      counter.own += 1;
      counter.told += 1;
    }
    const before = Math.min(at + 1, counted);
    const used = {
      backlogMs: backlogMs + (before * MINUTE_MS) / request.rpm,
      inFlight: inFlight + (request.takesSlot ? before : 0),
    };
    request.answer({ refusedBy: isCounted ? null : refusedBy, used });
  }
}

/** It is not known what the server has counted: the next step says how many slots are held. */
function giveUp(counter: Counter, requests: Waiting[]): void {
  counter.told = NaN;
  for (const request of [...requests, ...counter.waiting.splice(0)]) request.answer(undefined);
}
