import { defineScript } from '@redis/client';
import { ROUNDING_MS } from './rate.ts';

const LEASE_MS_MAX = 60_000;

/** What a process says about one key, and asks for it. */
export interface Step {
  rateKey: string;
  slotsKey: string;
  /** The slots that the process holds, without those that it asks for. */
  own: number;
  /** How many equal requests it asks for; 0: only for the usage; undefined: nothing. */
  asked: number | undefined;
  rpm: number;
  concurrency: number;
  /** Whether each request takes a slot. */
  takesSlots: boolean;
}

/** How many of them were counted, what refused the next one, and the key's usage before them. */
export interface StepAnswer {
  counted: number;
  refusedBy: 'rate' | 'concurrency' | null;
  backlogMs: number;
  inFlight: number;
}

/**
 * All steps of a process at one moment, in one command. A key has the time when its whole minute is free again, and a hash of slots: for
 * each process how many it holds, and until when that is believed without a renewal. A process always says its whole number, so that a lost
 * answer leaves no wrong count. A time further ahead than a count can reach is from before the server's clock went back: it counts no more.
 */
export const COUNT = defineScript({
  SCRIPT: `local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local process, lease, answers = ARGV[1], tonumber(ARGV[2]), {}
for at = 1, #KEYS / 2 do
  local rate, slots, first = KEYS[2 * at - 1], KEYS[2 * at], 5 * at - 2
  local own, asked, rpm = tonumber(ARGV[first]), tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
  local concurrency, takesSlots = tonumber(ARGV[first + 3]), ARGV[first + 4] == '1'
  local counted, refused, backlog, others = 0, '', 0, 0
  if asked >= 0 then
    local held = redis.call('HGETALL', slots)
    for i = 1, #held, 2 do
      local count, till = string.match(held[i + 1], '(%d+) (%d+)')
      if tonumber(till) <= now or tonumber(till) > now + ${LEASE_MS_MAX} then redis.call('HDEL', slots, held[i])
      elseif held[i] ~= process then others = others + tonumber(count) end
    end
    backlog = math.max(tonumber(redis.call('GET', rate) or 0) - now, 0)
    if backlog > 61000 then backlog = 0 end
  end
  local used, inFlight = backlog, others + own
  while counted < asked and refused == '' do
    local nextUsed = used + 60000 / rpm
    if nextUsed - 60000 > ${ROUNDING_MS} then refused = 'rate'
    elseif takesSlots and others + own >= concurrency then refused = 'concurrency'
    else
      used, counted = nextUsed, counted + 1
      if takesSlots then own = own + 1 end
    end
  end
  if counted > 0 then
    redis.call('SET', rate, string.format('%.17g', now + used), 'PX', math.max(1, math.ceil(used)))
  end
  if own > 0 then
    redis.call('HSET', slots, process, string.format('%d %d', own, math.ceil(now + lease)))
    redis.call('PEXPIRE', slots, lease)
  else
    redis.call('HDEL', slots, process)
  end
  answers[at] = string.format('%d %s %.17g %d', counted, refused, backlog, inFlight)
end
return answers`,
  parseCommand(parser, steps: Step[], { processId, leaseMs }: { processId: string; leaseMs: number }) {
    const keys: string[] = [];
    const args = [processId, String(leaseMs)];
    for (const { rateKey, slotsKey, own, asked = -1, rpm, concurrency, takesSlots } of steps) {
      keys.push(rateKey, slotsKey);
      args.push(String(own), String(asked), String(rpm), String(concurrency), takesSlots ? '1' : '');
    }
    parser.pushKeysLength(keys);
    parser.push(...args);
  },
  transformReply: (reply: string[]): StepAnswer[] => reply.map(answerOf),
});

function answerOf(text: string): StepAnswer {
  const [counted, refusedBy, backlogMs, inFlight] = text.split(' ');
  return {
    counted: Number(counted),
    refusedBy: refusedBy === '' ? null : (refusedBy as 'rate' | 'concurrency'),
    backlogMs: Number(backlogMs),
    inFlight: Number(inFlight),
  };
}
