import type { WebSocket } from 'ws';
import type { Model } from '../../db/catalog/catalog.ts';
import type { Context, Handler } from '../context.ts';
import { refuseUnfunded } from '../../calls/funds.ts';
import type { Services } from '../services.ts';
import { ClientSocket } from '../sockets/socket.ts';
import { acceptSocket } from '../sockets/upgrade.ts';
import { resolveVoiceModel } from '../../calls/sound/callerVoice.ts';
import { findModel } from '../../calls/findModel.ts';
import { InvalidRequest, invalidValue } from '../../base/errors/invalidRequest.ts';
import { secretSessionOf } from './secrets/clientSecrets.ts';
import { dialectOf } from './session/dialect.ts';
import { newRealtimeSession, newTranscriptionSession, type Session } from './session/sessionConfig.ts';
import { errorEvent } from './session/sessionErrors.ts';
import { beginUpstream } from './passed/beginUpstream.ts';
import { PassedSession } from './passed/passedSession.ts';
import { RealtimeConnection } from './realtimeSession.ts';

/** The longest session. */
export const SESSION_SECONDS_MAX = 3_600;

/** `GET /realtime`, a WebSocket: a session of OpenAI's realtime protocol. Resolves when it has ended. */
export function openRealtime(services: Services): Handler {
  return async (ctx) => {
    ctx.state.product = 'realtime';
    const repeated = ['model', 'intent'].find((name) => Array.isArray(ctx.query[name]));
    if (repeated) throw invalidValue(repeated, `The query has '${repeated}' more than once. Send it once.`);
    const ofSecret = secretSessionOf(ctx, services);
    const { bound, maxSessionSeconds } = ofSecret ?? {};
    const start = {
      ...(ofSecret ?? sessionOf(ctx, services)),
      bound,
      secondsMax: maxSessionSeconds ?? SESSION_SECONDS_MAX,
    };
    await refuseUnfunded(ctx.state, services);
    const isPassed = start.model.kind === 'realtime' && !start.model.pipeline;
    const upstream = isPassed && (await beginUpstream(ctx, services, start.model, bound));
    const ws = await accept(ctx, ofSecret?.begin).catch((error: unknown) => {
      if (upstream) upstream.close();
      throw error;
    });
    const socket = new ClientSocket(ctx, services, ws, {
      errorEvent: (error) => errorEvent(error),
      onDrain: () => session.drain(),
    });
    const open = { ctx, services, socket, dialect: dialectOf(ctx.req.headers), ...start };
    const session = upstream ? new PassedSession({ ...open, upstream }) : new RealtimeConnection(open);
    socket.watchKey();
    await session.run();
  };
}

async function accept(ctx: Context, begin: (() => Promise<void>) | undefined): Promise<WebSocket> {
  await begin?.();
  return acceptSocket(ctx);
}

function sessionOf(ctx: Context, services: Services): { model: Model; session: Session } {
  const { model: name, intent } = ctx.query;
  if (intent === 'transcription')
    return {
      model: resolveVoiceModel(ctx.state, services, { name: undefined, kind: 'transcription' }),
      session: newTranscriptionSession(),
    };
  if (typeof name !== 'string' || name === '')
    throw new InvalidRequest('missing_required_parameter', 'model', "Missing required parameter: 'model'.");
  return { model: findModel(ctx.state, services, name, 'realtime'), session: newRealtimeSession(name) };
}
