import { createClient, defineScript } from '@redis/client';
import type { LimitClass } from '../context.ts';
import { ROUNDING_MS, type Quota, type Used } from './rate.ts';

// Timeout of a request to the store.
const ANSWER_WAIT_MS = 500;
// Pause before the next attempt after a failure of the store.
const PAUSE_MS = 1_000;
const RECONNECT_MS = 500;

/** A request to count: its key's limits, and the lease of its slot. */
export interface Entry extends Quota, Slot {
  slotId: string;
  leaseMs: number;
}

/** The key and class of a slot. A `steering` request takes no slot, and is limited only by the rate. */
interface Slot {
  keyId: string;
  limitClass: LimitClass;
}

/** Slots by their ids. */
export type HeldSlots = Map<string, Slot>;

/** The result of counting a request, and the key's usage afterwards. */
interface Taken {
  refusedBy: 'rate' | 'concurrency' | null;
  used: Used;
}

export type LimitStore = Awaited<ReturnType<typeof openLimitStore>>;

/**
 * Counters in a Valkey or Redis server, timed by its clock. `take` and `look` return undefined while the server is unreachable. `onChange`
 * is called once when it becomes unreachable, and once when it is reachable again.
 */
export async function openLimitStore(url: string, onChange: (away: unknown) => void) {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    scripts: { take: TAKE, renew: RENEW },
    socket: { connectTimeout: 1_000, reconnectStrategy: RECONNECT_MS },
  });
  let isAway = false;
  let pausedUntilMs = 0;
  client.on('error', pause);
  client.on('ready', () => (pausedUntilMs = 0));
  await Promise.race([client.connect().catch(pause), late(ANSWER_WAIT_MS * 5)]);

  async function ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    if (performance.now() < pausedUntilMs) return undefined;
    try {
      const answer = await Promise.race([question(), late(ANSWER_WAIT_MS)]);
      if (answer === LATE) throw new Error(`the limit store did not answer within ${ANSWER_WAIT_MS} ms`);
      resume();
      return answer;
    } catch (error) {
      pause(error);
      return undefined;
    }
  }

  function pause(error: unknown): void {
    pausedUntilMs = performance.now() + PAUSE_MS;
    if (!isAway) onChange(error);
    isAway = true;
  }

  function resume(): void {
    if (isAway) onChange(undefined);
    isAway = false;
  }

  const take = ({ slotId, leaseMs, rpm, concurrency, ...slot }: Entry) => {
    const isSteering = slot.limitClass === 'steering';
    const args = [rpm, concurrency, ROUNDING_MS, leaseMs, isSteering ? '' : slotId].map(String);
    return ask(() => client.take(keysOf(slot), args));
  };

  return {
    /** Counts a request, unless it exceeds one of its limits. */
    take,
    /** The usage of a key. */
    look: async (keyId: string): Promise<Used | undefined> =>
      (
        await ask(() =>
          client.take(keysOf({ keyId, limitClass: 'call' }), ['1', '0', String(ROUNDING_MS), '0', 'look']),
        )
      )?.used,
    /** Releases a slot. If that fails, the slot's lease expires. */
    free: (slot: Slot, slotId: string) => ask(() => client.zRem(keysOf(slot)[1]!, slotId)),
    /** Renews the leases of slots. */
    renew: async (slots: HeldSlots, leaseMs: number): Promise<void> => {
      for (const [slotId, slot] of slots)
        void ask(() => client.renew(keysOf(slot).slice(1), [String(leaseMs), slotId]));
    },
    close: async (): Promise<void> => {
      // Recently released slots are still being sent.
      if (client.isReady) await Promise.race([client.close(), late(ANSWER_WAIT_MS)]);
      if (client.isOpen) client.destroy();
    },
  };
}

const LATE = Symbol('late');

function late(afterMs: number): Promise<typeof LATE> {
  // Reads answers that arrived while this process was busy before it applies the timeout.
  return new Promise((resolve) => setTimeout(() => setImmediate(resolve, LATE), afterMs).unref());
}

// The braces keep both counters of a key on the same node of a cluster.
function keysOf({ keyId, limitClass }: Slot): string[] {
  const slots = limitClass === 'follower' ? 'followers' : 'slots';
  return [`ledgerline:rate:{${keyId}}`, `ledgerline:${slots}:{${keyId}}`];
}

const NOW = `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000`;

const TAKE = defineScript({
  NUMBER_OF_KEYS: 2,
  SCRIPT: `${NOW}
local rpm, concurrency, rounding, lease, slot = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local fullAt = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local inFlight = redis.call('ZCARD', KEYS[2])
local nextFullAt = fullAt + 60000 / rpm
local refused = ''
if nextFullAt - now - 60000 > rounding then refused = 'rate' elseif slot ~= '' and inFlight >= concurrency then refused = 'concurrency' end
if refused == '' then
  redis.call('SET', KEYS[1], string.format('%.17g', nextFullAt), 'PX', math.ceil(nextFullAt - now))
  fullAt = nextFullAt
  if slot ~= '' then
    redis.call('ZADD', KEYS[2], now + lease, slot)
    redis.call('PEXPIRE', KEYS[2], lease)
    inFlight = inFlight + 1
  end
end
return { refused, string.format('%.17g', fullAt - now), inFlight }`,
  parseCommand(parser, keys: string[], args: string[]) {
    parser.pushKeys(keys);
    parser.push(...args);
  },
  transformReply: ([refused, backlogMs, inFlight]: [string, string, number]): Taken => ({
    refusedBy: refused === '' ? null : (refused as 'rate' | 'concurrency'),
    used: { backlogMs: Number(backlogMs), inFlight },
  }),
});

const RENEW = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `${NOW}
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`,
  parseCommand(parser, keys: string[], args: string[]) {
    parser.pushKeys(keys);
    parser.push(...args);
  },
  transformReply: (reply: number) => reply,
});
