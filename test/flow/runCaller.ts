import { setTimeout as sleep } from 'node:timers/promises';
import type { RunObject } from '../../db/runs/runObject.ts';
import { ask, type ErrorBody } from '../support/guardStage.ts';
import type { KillStage } from './killStage.ts';

const RETRY_MS = 100;
// What a client that has waited for its answer this long would report.
const WAIT_MS = 180_000;

/** An answer, or none: then nobody knows whether the request was carried out. */
export interface Answer {
  /** 0: the connection broke. */
  status: number;
  /** Of an error. */
  code: string | undefined;
  run: RunObject | undefined;
  text: string;
}

/** Whether a client that follows the rules tries again. */
const isTransient = ({ status, code }: Answer): boolean =>
  status === 0 || status === 503 || code === 'idempotency_in_progress';

/** A client of the stage that keeps a journal of all that it was answered, in order. */
export function createCaller({ url, account, agent }: Pick<KillStage, 'url' | 'account' | 'agent'>) {
  const journal: Answer[] = [];

  /** One request, of JSON or a form, tried once. */
  async function post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const keyed = { authorization: `Bearer ${account.secret}`, ...headers };
    const sending =
      body instanceof FormData
        ? fetch(url() + path, { method: 'POST', headers: keyed, body })
        : ask(url(), path, { headers: keyed, body: JSON.stringify(body) });
    const answer = await sending.then(answerOf).catch(() => ({ status: 0, code: undefined, run: undefined, text: '' }));
    journal.push(answer);
    return answer;
  }

  /** The same until it is answered for good. */
  async function postPatiently(...[path, body, headers]: Parameters<typeof post>): Promise<Answer> {
    const deadlineMs = performance.now() + WAIT_MS;
    for (;;) {
      const answer = await post(path, body, headers);
      if (!isTransient(answer) || performance.now() > deadlineMs) return answer;
      await sleep(RETRY_MS);
    }
  }

  return {
    journal,
    post,
    postPatiently,
    /** What a run is ordered with; the model does what the script says. */
    orderOf: (script: object, members: object = {}) => ({
      agent,
      input: JSON.stringify({ scripted: script }),
      max_cost_usd: 0.1,
      ...members,
    }),
  };
}

export type Caller = ReturnType<typeof createCaller>;

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = JSON.parse(text) as RunObject | ErrorBody;
  const { status } = response;
  // A run has an `error`, too.
  if (status < 400) return { status, code: undefined, run: body as RunObject, text };
  return { status, code: (body as ErrorBody).error.code, run: undefined, text };
}
