import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { SILENT_SECONDS } from '../../base/limits.ts';
import { oneAtATime, waitAtMost } from '../../base/waiting.ts';
import { newId } from '../ids.ts';
import type { Inquiry, Notice, Notices } from '../postgres/notices.ts';
import type { KeptCall } from './keptCall.ts';

// A process answers within milliseconds, unless it is busy or dead, or has missed the question.
const WAIT_MS = 400;
// Whoever has not answered is asked again while it renews its lease: what a busy process runs must not run twice.
const TRIES_MAX = 12;
// A reader in another process asks again each second.
const ATTACHED_MS = 2_500;
// Between two looks whether a process is still paused: a question is much dearer.
const SILENT_POLL_MS = 1_000;

/**
 * Asks the other processes for a running call. Only retries and resumed streams ask. Each process that spends answers, so the result is
 * known when all have answered.
 */
export function createInquiries({
  pool,
  notices,
  processId,
  runsProcess,
  find,
  withFingerprint,
  isFollowed,
  hurry,
  spends,
  onError,
}: {
  pool: Pool;
  notices: Pick<Notices, 'listen' | 'send' | 'notifyAll' | 'address'>;
  processId: () => string;
  /** The id under which runs hold money: no process that could answer. */
  runsProcess: string;
  find: (workspaceId: string, requestId: string) => KeptCall | undefined;
  withFingerprint: (workspaceId: string, fingerprint: string) => Iterable<KeptCall>;
  /** Whether a caller here follows this run. */
  isFollowed: (runId: string) => boolean;
  hurry: () => void;
  /** Only processes with a lease are counted, and answer. */
  spends: boolean;
  onError: (error: unknown) => void;
}) {
  const open = new Map<string, Question>();
  const lastAttached = new Map<KeptCall, NodeJS.Timeout>();

  notices.listen((notice) => {
    if (notice.kind === 'call-sought' && spends && notice.process !== processId()) answer(notice);
    if (notice.kind === 'call-found') take(notice);
  });

  function answer({ id, replyTo, inquiry }: Notice & { kind: 'call-sought' }): void {
    const call = soughtHere(inquiry);
    if (call && inquiry.attaches !== false) attachForAWhile(call);
    const run = inquiry.requestId !== undefined && isFollowed(inquiry.requestId) ? inquiry.requestId : null;
    const requestId = call?.order.requestId ?? run;
    void notices.send(pool, { kind: 'call-found', id, to: replyTo, by: processId(), requestId }).catch(onError);
  }

  // A request that looks for its first try may run; claims decide which of two runs.
  function soughtHere({ requestId, fingerprint, workspaceId, attaches = true }: Inquiry): KeptCall | undefined {
    if (requestId === undefined)
      return [...withFingerprint(workspaceId, fingerprint!)].find((call) => call.isRunning && call.canBeRead);
    const call = find(workspaceId, requestId);
    return call && call.follows === undefined && !(call.isGone && attaches) ? call : undefined;
  }

  function attachForAWhile(call: KeptCall): void {
    const earlier = lastAttached.get(call);
    if (earlier) {
      earlier.refresh();
      return hurry();
    }
    const detach = call.attach();
    if (!detach) return;
    const over = () => {
      lastAttached.delete(call);
      detach();
    };
    lastAttached.set(call, setTimeout(over, ATTACHED_MS).unref());
    hurry();
  }

  function take({ id, by, requestId }: { id: string; by: string; requestId: string | null }): void {
    const asked = open.get(id);
    if (!asked) return;
    asked.answered.add(by);
    if (requestId !== null || asked.answered.size >= asked.others) asked.resolve(requestId ?? undefined);
  }

  /** Asks who runs the call. Its owner keeps it running for a moment. */
  async function ask(inquiry: Inquiry): Promise<Found> {
    const own = [processId(), runsProcess];
    const { rows: others } = await pool.query<{ id: string }>({ name: 'others', text: OTHERS, values: own });
    if (others.length === 0) return { requestId: undefined, others: 0, isSure: true };
    const id = newId('ask');
    const question: Notice = { kind: 'call-sought', id, process: processId(), replyTo: notices.address, inquiry };
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const asked: Question = { others: others.length, answered: new Set(), resolve };
    open.set(id, asked);
    let requestId: string | undefined;
    let isSure = false;
    const heard = promise.then((found) => void (requestId = found));
    try {
      for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
        await put(question, others.length);
        isSure = await waitAtMost(WAIT_MS, heard);
        if (isSure) break;
        const silent = await silentOnes(asked, others);
        isSure = silent.every(({ renews }) => renews);
        if (!silent.some(({ renews }) => renews)) break;
      }
      return { requestId, others: others.length, isSure };
    } finally {
      open.delete(id);
    }
  }

  async function put(question: Notice, others: number): Promise<void> {
    const heard = await notices.send(pool, question);
    // A bus sends this process its own notices. Other processes may have no bus, or be of an earlier release.
    if (heard !== undefined && heard < others + (spends ? 1 : 0)) await notices.notifyAll(pool, question);
  }

  /** The processes that have not answered and are not dead. One that does not renew its lease is paused, or was killed a moment ago. */
  async function silentOnes({ answered }: Question, others: { id: string }[]): Promise<{ renews: boolean }[]> {
    const silent = others.map(({ id }) => id).filter((id) => !answered.has(id));
    return (await pool.query<{ renews: boolean }>({ name: 'others_silent', text: SILENT, values: [silent] })).rows;
  }

  /** Whether a process is paused, or was killed a moment ago: it answers no question, and is not known to be dead. */
  const hasSilent = oneAtATime<void, boolean>(async () => {
    const own = [processId(), runsProcess];
    return (await pool.query({ name: 'others_paused', text: PAUSED, values: own })).rowCount! > 0;
  });

  /**
   * Whether any process still runs this request, or is ending it; undefined: a paused process may. Asking does not keep it running.
   */
  async function isRunning(workspaceId: string, requestId: string): Promise<boolean | undefined> {
    if (find(workspaceId, requestId)) return true;
    const found = await ask({ workspaceId, requestId, attaches: false });
    return found.requestId !== undefined || (found.isSure ? false : undefined);
  }

  /** Whether any caller still follows this run. Waits while a process is paused; true when this one ends first (`isEnding`). */
  async function isRunFollowed(workspaceId: string, runId: string, isEnding: () => boolean): Promise<boolean> {
    for (;;) {
      if (isFollowed(runId)) return true;
      const { requestId, isSure } = await ask({ workspaceId, requestId: runId, attaches: false });
      if (requestId !== undefined || isSure) return requestId !== undefined;
      do {
        if (isEnding()) return true;
        await sleep(SILENT_POLL_MS);
      } while (await hasSilent());
    }
  }

  /** Readers of one answer share an inquiry. */
  const askOnce = oneAtATime<string, Found>((key) => {
    const [workspaceId, requestId] = key.split(' ') as [string, string];
    return ask({ workspaceId, requestId });
  });

  return {
    asking: {
      ask,
      /** Asks for a request by its id. */
      askFor: (workspaceId: string, requestId: string) => askOnce(`${workspaceId} ${requestId}`),
      isRunning,
      isRunFollowed,
      hasSilent: () => hasSilent(),
    },
    close: () => lastAttached.forEach((timer) => clearTimeout(timer)),
  };
}

/** What a question found. */
interface Found {
  /** The call if another process runs it. */
  requestId: string | undefined;
  /** How many processes were asked. */
  others: number;
  /** False: a process did not answer because it is paused, and may run the call. */
  isSure: boolean;
}

interface Question {
  /** How many processes were asked. */
  others: number;
  answered: Set<string>;
  resolve: (requestId: string | undefined) => void;
}

const OTHERS = `
select id from processes p where id <> $1 and id <> $2 and reaped_at is null and not ledger_dead(p)`;
// Workers run no synchronous calls, so no retry waits for a silent worker.
const MAY_RUN = `reaped_at is null and not ledger_dead(p) and role is distinct from 'worker'`;
const RENEWS = `renewed_at > clock_timestamp() - interval '${SILENT_SECONDS} seconds'`;
const PAUSED = `
select from processes p where id <> $1 and id <> $2 and ${MAY_RUN} and not coalesce(${RENEWS}, false) limit 1`;
const SILENT = `select ${RENEWS} as renews from processes p where id = any ($1) and ${MAY_RUN}`;
