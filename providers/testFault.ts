/** The failures that a test call can request. Each happens at the test upstream, so that retries, refunds and bills are real. */
export const TEST_FAULTS = {
  upstream_500: 'the upstream answers 500',
  upstream_429: 'the upstream answers 429, to be retried after a second',
  upstream_timeout: 'the upstream answers nothing, for two seconds',
  upstream_reset: 'the upstream closes the connection before its answer',
  upstream_refusal: 'the upstream refuses the request with 400',
  cut_stream: 'the connection breaks in the middle of the answer',
  malformed_chunk: 'a part of the answer is no JSON',
  error_chunk: 'the upstream reports an error in the middle of its stream',
  slow_first_byte: 'the answer begins late: slow_first_byte=1500 for 1.5 seconds',
  slow_chunks: 'a stream pauses before each chunk: slow_chunks=200 for 0.2 seconds',
} as const;

export type TestFaultName = keyof typeof TEST_FAULTS;

/** A failure requested by a test call. */
export interface TestFault {
  name: TestFaultName;
  /** The delay of a slow call, in milliseconds. */
  delayMs?: number;
  /** Only at the first upstream: the next one answers the call. */
  isFirstOnly: boolean;
}

/** The metadata member of a run or batch that requests a failure of its calls. */
export const TEST_FAULT_METADATA = 'test_fault';

/** The wait of a call that asks for a timeout: long enough to trigger it, short enough for a test. */
export const TEST_TIMEOUT_MS = 2_000;

const DELAY_MS_MAX = 60_000;
const SHAPE = /^\s*(?<name>[a-z0-9_]+)(?:=(?<ms>\d{1,5}))?(?<first>\s*;\s*first)?\s*$/;

/** Reads `name`, `name=milliseconds` or either with `; first`. Undefined for any other text. */
export function testFaultIn(text: string): TestFault | undefined {
  const { name = '', ms, first } = SHAPE.exec(text)?.groups ?? {};
  if (!Object.hasOwn(TEST_FAULTS, name)) return undefined;
  const isSlow = name.startsWith('slow_');
  if (isSlow !== (ms !== undefined) || Number(ms ?? 0) > DELAY_MS_MAX) return undefined;
  return {
    name: name as TestFaultName,
    ...(isSlow && { delayMs: Number(ms) }),
    isFirstOnly: first !== undefined,
  };
}
