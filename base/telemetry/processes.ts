import cluster, { type Worker } from 'node:cluster';
import type { Answers } from './listener.ts';

// Less than the timeout of a Prometheus scrape.
const ANSWER_LIMIT_MS = 5_000;
const UP = 'ledgerline_process_up';
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Question {
  id: number;
  question: 'metrics' | 'faults';
}

/** In one of several processes that share their ports: answers the supervisor's questions. Returns a function that stops it. */
export function answerSupervisor({ metrics, findFaults }: Answers): () => void {
  const answer = async ({ id, question }: Question): Promise<void> => {
    const content = question === 'metrics' ? await metrics.text() : await findFaults();
    process.send?.({ id, content });
  };
  // The supervisor notes a missing answer.
  const onMessage = (message: Question): void => void answer(message).catch(() => undefined);
  process.on('message', onMessage);
  return () => void process.off('message', onMessage);
}

/**
 * In the supervisor: its processes' answers. Each process keeps its own series, labelled `process` with its number: a sum would fall when
 * a process is replaced, and Prometheus would take that for a counter reset.
 */
export function askProcesses(running: () => [number: number, Worker][]): Answers {
  const ask = createQuestions();
  const askAll = <T>(question: Question['question']): Promise<[number, T | undefined][]> =>
    Promise.all(running().map(async ([number, worker]) => [number, await ask<T>(worker, question)]));
  return {
    metrics: { text: async () => joinedText(await askAll<string>('metrics')), contentType: CONTENT_TYPE },
    findFaults: async () => {
      const answers = await askAll<string[]>('faults');
      return answers.flatMap(([number, faults = ['no answer']]) =>
        faults.map((fault) => `process ${number}: ${fault}`),
      );
    },
  };
}

/** Asks processes; the answer is undefined for a process that has ended or does not answer in time. */
function createQuestions() {
  const waiting = new Map<number, (content: unknown) => void>();
  let last = 0;
  cluster.on('message', (_worker, { id, content }: { id: number; content: unknown }) => waiting.get(id)?.(content));
  return async <T>(worker: Worker, question: Question['question']): Promise<T | undefined> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const id = (last += 1);
    waiting.set(id, resolve);
    const timer = setTimeout(() => resolve(undefined), ANSWER_LIMIT_MS);
    if (worker.isConnected()) worker.send({ id, question }, (error) => error && resolve(undefined));
    else resolve(undefined);
    const content = await promise;
    clearTimeout(timer);
    waiting.delete(id);
    return content as T | undefined;
  };
}

/** Merges the texts: the samples of each metric together, below its description. */
function joinedText(texts: [number, string | undefined][]): string {
  const samplesOf = new Map<string, string[]>();
  for (const [number, text] of texts) {
    for (const block of text?.split('\n\n') ?? []) {
      const [help, type, ...samples] = block.trim().split('\n');
      const head = `${help}\n${type}`;
      const labelled = samples.map((sample) => withLabel(sample, `process="${number}"`));
      samplesOf.set(head, [...(samplesOf.get(head) ?? []), ...labelled]);
    }
  }
  const up = texts.map(([number, text]) => `${UP}{process="${number}"} ${text === undefined ? 0 : 1}`);
  samplesOf.set(`# HELP ${UP} Whether a process of the API has answered: 1 or 0\n# TYPE ${UP} gauge`, up);
  return [...samplesOf].map(([head, samples]) => [head, ...samples].join('\n')).join('\n\n') + '\n';
}

const withLabel = (sample: string, label: string): string =>
  sample.replace(/^(\w+)(\{)?/, (_, name: string, hasLabels?: string) =>
    hasLabels ? `${name}{${label},` : `${name}{${label}}`,
  );
