import { z } from 'zod';
import { CHANNEL_CHARACTERS_MAX, CHANNEL_NAME } from '../../base/agentNames.ts';
import { NOTICE_DAYS } from '../../base/limits.ts';
import { agentName } from '../../orders/order.ts';

const time = z.iso.datetime();
const message = z.string().trim().min(1).max(1_000);

/** The name of a channel, in the path. */
export const channelName = z
  .string()
  .max(CHANNEL_CHARACTERS_MAX)
  .regex(
    CHANNEL_NAME,
    'A channel is lowercase letters and digits, in groups joined by single hyphens, and begins with a letter.',
  );

export const ChannelBody = z.strictObject({ version_id: z.string().regex(/^aver_[0-9A-Za-z]+$/) });

export const TakeDownBody = z.strictObject({ message: message.describe('What callers are told.') });

export const DeprecationBody = z.strictObject({
  sunset_at: z.iso
    .datetime({ offset: true })
    .describe(`When new orders are refused; at least ${NOTICE_DAYS} days from now.`),
  successor: agentName.nullable().default(null).describe('The public agent to use instead.'),
  message: message.nullable().default(null).describe('What else callers are told.'),
});

const ChannelVersion = { version_id: z.string(), version: z.string(), version_number: z.int() };

export const ChannelAnswer = z.object({
  object: z.literal('agent.channel'),
  name: z.string(),
  agent: z.string().describe('What an order names: `<namespace>/<slug>@<channel>`.'),
  agent_id: z.string(),
  ...ChannelVersion,
  previous_version_id: z.string().nullable(),
  status: z
    .enum(['active', 'scheduled'])
    .describe('`scheduled`: a more expensive version, `next`, waits for its notice.'),
  next: z.object({ ...ChannelVersion, active_from: time }).nullable(),
  moved_at: time.nullable(),
});

export const ChannelList = z.object({ object: z.literal('list'), data: z.array(ChannelAnswer) });

export const DeletedChannel = z.object({
  object: z.literal('agent.channel'),
  agent_id: z.string(),
  name: z.string(),
  deleted: z.literal(true),
});
