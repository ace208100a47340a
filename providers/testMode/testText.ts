import type { UpstreamConfig } from '../config.ts';
import type { UpstreamRouting } from '../routing/routing.ts';
import type { UpstreamHealth } from '../routing/upstreamHealth.ts';
import type { Json, TestCall, TextProvider } from '../provider.ts';
import { optionsOf, type UpstreamOptions } from '../upstreamOptions.ts';
import { TEST_TIMEOUT_MS } from '../testFault.ts';
import { testPlacesOf } from './testPlaces.ts';

/** The test upstream: this process starts it with the first test call. */
export type OpenTestUpstream = () => Promise<{ url: string; stop(): Promise<void> }>;

/** What providers share within a process. */
export interface SharedParts {
  routing?: UpstreamRouting;
  openTestUpstream?: OpenTestUpstream;
}

/** One attempt's place for a test call. */
export interface TestPlace {
  provider: TextProvider;
  upstreamModel: string;
  health: UpstreamHealth;
}

/**
 * The text models of test calls: a rule-based upstream over the same protocol as any other. It also produces the failures that calls
 * request.
 */
export function createTestText({
  openTestUpstream,
  config,
  connect,
}: {
  openTestUpstream: OpenTestUpstream;
  config: UpstreamConfig;
  connect: (options: UpstreamOptions) => TextProvider & { close(): Promise<void> };
}) {
  let opened: ReturnType<typeof start> | undefined;

  async function start() {
    const upstream = await openTestUpstream();
    const { url } = upstream;
    const usual = connect(optionsOf({ baseUrl: url }, config));
    const short = { idleTimeoutMs: TEST_TIMEOUT_MS, answerTimeoutMs: TEST_TIMEOUT_MS };
    const impatient = connect(optionsOf({ baseUrl: url }, { ...config, ...short }));
    const close = async () => void (await Promise.all([usual.close(), impatient.close(), upstream.stop()]));
    return { usual, impatient, close };
  }

  function providerWith(test: TestCall): TextProvider {
    const at = async () => {
      const { usual, impatient } = await (opened ??= start());
      return test.fault?.name === 'upstream_timeout' ? impatient : usual;
    };
    const asked = (body: Json): Json => ({ ...body, test_call: test });
    return {
      answer: async (path, body, signal) => (await at()).answer(path, asked(body), signal),
      stream: async (path, body, signal) => (await at()).stream(path, asked(body), signal),
    };
  }

  return {
    /** Where a call is tried, in order. */
    placesOf: (upstreamModel: string, test: TestCall): TestPlace[] =>
      testPlacesOf(test.fault).map(({ health, fault }) => ({
        provider: providerWith({ ...test, fault }),
        upstreamModel,
        health,
      })),
    close: async (): Promise<void> => (await opened)?.close(),
  };
}
