import { z } from 'zod';
import type { RouteDoc } from '../../http/documentedRoute.ts';
import { SESSION_OBJECTS } from '../session/sessionConfig.ts';
import { ClientSecretInput, OlderSessionInput } from './clientSecretInput.ts';

const session = z.looseObject({ id: z.string(), object: z.literal('realtime.session') });

const ClientSecretAnswer = z.object({
  value: z.string().describe('The secret, `ek_…`. It is shown this once.'),
  expires_at: z.int().describe('Unix seconds. Sessions that are open then go on.'),
  session: session.extend({
    object: z.enum(Object.values(SESSION_OBJECTS)),
    type: z.enum(['realtime', 'transcription']),
  }),
});

const OlderSessionAnswer = session.extend({
  client_secret: z.object({ value: z.string(), expires_at: z.int() }),
});

const MEANING =
  'The secret opens realtime sockets alone, with this session, and in the name of the key: its scopes, spend limit, addresses and rate ' +
  'limits count, and its revocation ends the sessions. What is set here, neither updates nor responses change. An expired secret, and one ' +
  'that has opened `max_sessions`, is refused with 401; one whose ' +
  '`spend_limit_usd` is reached with 402. Calls hold their money within `spend_limit_usd`, so sessions never spend more together; one that ' +
  'gets no more ends with `client_secret_spend_limit_reached`.';

/** Documentation of client secrets. */
export const secretDocs = () =>
  ({
    clientSecret: {
      tag: 'Realtime',
      summary: 'Create a client secret',
      description: `For a browser or an app, which must not have the key. ${MEANING}`,
      input: {
        id: 'ClientSecretRequest',
        schema: ClientSecretInput,
        example: {
          session: { type: 'realtime', model: 'gpt-realtime', audio: { output: { voice: 'alloy' } } },
          expires_after: { anchor: 'created_at', seconds: 600 },
          max_session_seconds: 900,
          spend_limit_usd: 0.5,
          max_sessions: 1,
        },
      },
      answer: { id: 'ClientSecret', schema: ClientSecretAnswer },
      errors: [404],
    },
    olderSecret: {
      tag: 'Realtime',
      summary: 'Create a client secret, with the older names',
      description: `As clients with \`OpenAI-Beta: realtime=v1\` send it. ${MEANING}`,
      input: {
        id: 'OlderSessionRequest',
        schema: OlderSessionInput,
        example: { model: 'gpt-realtime', voice: 'alloy', modalities: ['audio', 'text'] },
      },
      answer: { id: 'OlderSession', schema: OlderSessionAnswer },
      errors: [404],
    },
  }) satisfies Record<string, RouteDoc>;
