import type { z } from 'zod';
import { STABLE } from '../../base/agentNames.ts';
import { NOTICE_DAYS } from '../../base/limits.ts';
import { CHANNELS_MAX } from '../../db/publishing/channels.ts';
import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import { DeletedAnswer } from '../files/presentFile.ts';
import type { Keyed } from '../guard/key.ts';
import * as headers from '../http/documentedHeaders.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { get, post, put, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { deleteChannel, listChannels, putChannel } from './channels.ts';
import {
  deleteDraftAgent,
  deleteDraftVersion,
  deprecateAgent,
  restoreAgent,
  takeDownAgent,
  undeprecateAgent,
} from './endings.ts';
import {
  ChannelAnswer,
  ChannelBody,
  ChannelList,
  DeletedChannel,
  DeprecationBody,
  TakeDownBody,
} from './lifeSchema.ts';
import { PublisherAgentAnswer } from './publisherAnswers.ts';

/** The routes of an agent's channels and of its end. `publisher` guards each. */
export function lifeRoutes(services: Services, publisher: Keyed): Route[] {
  const own = publisher();
  const agent = '/v1/publisher/agents/:agent_id';
  const channel = `${agent}/channels/:channel`;
  const taking = <S extends z.ZodType>(schema: S) => publisher(body(parseWith(schema, 'body')));
  return [
    get(`${agent}/channels`, own, listChannels(services), DOCS.listChannels),
    put(channel, taking(ChannelBody), putChannel(services), DOCS.putChannel),
    remove(channel, own, deleteChannel(services), DOCS.deleteChannel),
    post(`${agent}/take-down`, taking(TakeDownBody), takeDownAgent(services), DOCS.takeDown),
    post(`${agent}/restore`, own, restoreAgent(services), DOCS.restore),
    post(`${agent}/deprecate`, taking(DeprecationBody), deprecateAgent(services), DOCS.deprecate),
    post(`${agent}/undeprecate`, own, undeprecateAgent(services), DOCS.undeprecate),
    remove(agent, own, deleteDraftAgent(services), DOCS.deleteAgent),
    remove('/v1/publisher/agent-versions/:version_id', own, deleteDraftVersion(services), DOCS.deleteVersion),
  ];
}

const TAG = 'Channels and ends';
const changed = { answer: { id: 'PublisherAgent', schema: PublisherAgentAnswer }, answerHeaders: headers.ETAG };

const DOCS = {
  listChannels: {
    tag: TAG,
    summary: 'List the channels of an agent',
    description: `\`${STABLE}\`, the default version, first.`,
    answer: { id: 'AgentChannelList', schema: ChannelList },
  },
  putChannel: {
    tag: TAG,
    summary: 'Point a channel at a version',
    description:
      'Creates it when it is new. Callers order it as `<namespace>/<slug>@<channel>`, at every door. It takes versions that were approved. ' +
      `A version that costs more than the channel’s present one is \`scheduled\`: it waits ${NOTICE_DAYS} days, and the channel’s callers are ` +
      `told by \`agent.price_increase\`. An agent has at most ${CHANNELS_MAX} channels; \`${STABLE}\` moves by reviews and rollouts.`,
    input: { id: 'ChannelMove', schema: ChannelBody, example: { version_id: 'aver_1' } },
    answer: { id: 'AgentChannel', schema: ChannelAnswer },
    errors: [409],
  },
  deleteChannel: {
    tag: TAG,
    summary: 'Remove a channel',
    description: 'Orders that name it are refused with 404 `agent_not_found`.',
    answer: { id: 'DeletedChannel', schema: DeletedChannel },
    errors: [409],
  },
  takeDown: {
    tag: TAG,
    summary: 'Take an agent down',
    description:
      'New orders are refused with 409 `agent_taken_down` and the message, at every door; runs that have begun end as usual. Schedules of ' +
      'it are paused, and callers are told once by `agent.taken_down` and by mail. Private runs and tests go on.',
    input: { id: 'TakeDown', schema: TakeDownBody, example: { message: 'A source of its answers is gone.' } },
    ...changed,
    errors: [409],
  },
  restore: {
    tag: TAG,
    summary: 'Restore an agent that was taken down',
    description: 'It takes orders again. Owners of its schedules are told by `agent.restored`, and resume them.',
    ...changed,
    errors: [409],
  },
  deprecate: {
    tag: TAG,
    summary: 'Deprecate an agent',
    description:
      'Answers to its callers have the headers `deprecation`, `sunset` and `link` from now on, and callers are told by `agent.deprecated`. ' +
      'From the date on, new orders are refused with 409 `agent_retired`, which names the successor. A repetition changes it.',
    input: {
      id: 'AgentDeprecation',
      schema: DeprecationBody,
      example: { sunset_at: '2099-01-31T00:00:00Z', message: 'It moves to a new model.' },
    },
    ...changed,
    errors: [409],
  },
  undeprecate: { tag: TAG, summary: 'End the deprecation of an agent', ...changed, errors: [409] },
  deleteAgent: {
    tag: TAG,
    summary: 'Delete an agent that was never public',
    description: 'Its draft is gone and its name is free. 409 `agent_published` for one that was public: take it down.',
    answer: { id: 'Deleted', schema: DeletedAnswer },
    errors: [409],
  },
  deleteVersion: {
    tag: TAG,
    summary: 'Delete a version that was never submitted',
    description: 'It leaves the list. Runs that used it keep it.',
    answer: { id: 'Deleted', schema: DeletedAnswer },
    errors: [409],
  },
} satisfies Record<string, RouteDoc>;
