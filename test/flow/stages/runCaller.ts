import { setTimeout as sleep } from 'node:timers/promises';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { ask, type ErrorBody } from '../../support/guardStage.ts';
import type { KillStage } from './killStage.ts';

const RETRY_MS = 100;
// After this wait a client would report a failure.
const WAIT_MS = 180_000;

/** An answer, or none: then it is unknown whether the request was executed. */
export interface Answer {
  /** 0: the connection broke. */
  status: number;
  /** Of an error. */
  code: string | undefined;
  run: RunObject | undefined;
  text: string;
}

/** Whether a client that follows the documentation retries. */
const isTransient = ({ status, code }: Answer): boolean =>
  status === 0 || status === 503 || code === 'idempotency_in_progress';

/** A client of the stage that records all its answers, in order. */
export function createCaller({ url, account, agent }: Pick<KillStage, 'url' | 'account' | 'agent'>) {
  const journal: Answer[] = [];

  /** One request, JSON or a form, without retry. */
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

  /** The same with retries until there is a final answer. */
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
    /** The order of a run; the model follows the script. */
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
  // A run has a member `error`, too.
  if (status < 400) return { status, code: undefined, run: body as RunObject, text };
  return { status, code: (body as ErrorBody).error.code, run: undefined, text };
}
