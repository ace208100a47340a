import type { Pool } from 'pg';
import { oneAtATime } from '../../base/waiting.ts';
import { newId } from '../ids.ts';
import type { Inquiry, Notice, Notices } from '../postgres/notices.ts';
import type { KeptCall } from './keptCall.ts';

// A process answers within milliseconds, unless it is busy or dead.
const WAIT_MS = 400;
// A reader in another process asks again each second.
const ATTACHED_MS = 2_500;

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
    const requestId = call?.order.requestId ?? null;
    void notices.send(pool, { kind: 'call-found', id, to: replyTo, by: processId(), requestId }).catch(onError);
  }

  // A request that looks for its first try may run; claims decide which of two runs.
  function soughtHere({ requestId, fingerprint, workspaceId, attaches = true }: Inquiry): KeptCall | undefined {
    if (requestId === undefined)
      return [...withFingerprint(workspaceId, fingerprint!)].find((call) => call.isRunning && !call.isGone);
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

  /**
   * The call if another process runs it, otherwise undefined. Its owner keeps it running for a moment. `others`: how many processes were
   * asked.
   */
  async function ask(inquiry: Inquiry): Promise<{ requestId: string | undefined; others: number }> {
    const { rows } = await pool.query<{ others: number }>({
      name: 'others',
      text: OTHERS,
      values: [processId(), runsProcess],
    });
    const { others } = rows[0]!;
    if (others === 0) return { requestId: undefined, others };
    const id = newId('ask');
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    open.set(id, { others, answered: new Set(), resolve });
    const timer = setTimeout(resolve, WAIT_MS, undefined);
    try {
      const question: Notice = { kind: 'call-sought', id, process: processId(), replyTo: notices.address, inquiry };
      const heard = await notices.send(pool, question);
      // A bus sends this process its own notices. Other processes may have no bus, or be of an earlier release.
      if (heard !== undefined && heard < others + (spends ? 1 : 0)) await notices.notifyAll(pool, question);
      return { requestId: await promise, others };
    } finally {
      clearTimeout(timer);
      open.delete(id);
    }
  }

  /** Whether any process still runs this request, or is ending it. Asking does not keep it running. */
  async function isRunning(workspaceId: string, requestId: string): Promise<boolean> {
    if (find(workspaceId, requestId)) return true;
    return (await ask({ workspaceId, requestId, attaches: false })).requestId !== undefined;
  }

  /** Readers of one answer share an inquiry. */
  const askOnce = oneAtATime<string, { requestId: string | undefined; others: number }>((key) => {
    const [workspaceId, requestId] = key.split(' ') as [string, string];
    return ask({ workspaceId, requestId });
  });

  function close(): void {
    for (const timer of lastAttached.values()) clearTimeout(timer);
  }

  return {
    asking: {
      ask,
      /** Asks for a request by its id. */
      askFor: (workspaceId: string, requestId: string) => askOnce(`${workspaceId} ${requestId}`),
      isRunning,
    },
    close,
  };
}

interface Question {
  /** How many processes were asked. */
  others: number;
  answered: Set<string>;
  resolve: (requestId: string | undefined) => void;
}

const OTHERS = `
select count(*)::int as others from processes p
where id <> $1 and id <> $2 and reaped_at is null and not ledger_dead(p)`;
