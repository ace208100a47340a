import { unixSecondsOf } from '../../../base/isoTime.ts';
import { beginSession, createClientSecret } from '../../../db/keys/clientSecrets.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import { newId } from '../../../db/ids.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import type { Context, Handler } from '../../context.ts';
import { clientSecretRefused } from '../../../base/errors/keyErrors.ts';
import type { Services } from '../../services.ts';
import { resolveVoiceModel } from '../../../calls/sound/callerVoice.ts';
import { findModel } from '../../../calls/findModel.ts';
import { invalidValue } from '../../../base/errors/invalidRequest.ts';
import { voiceOrder } from '../answers/answerOrder.ts';
import { checkHearing } from '../input/hearing.ts';
import { inOlderNames, type SecretOrder } from './clientSecretInput.ts';
import {
  SESSION_OBJECTS,
  changedSession,
  newRealtimeSession,
  newTranscriptionSession,
  type RealtimeSession,
  type Session,
  type SessionInput,
} from '../session/sessionConfig.ts';
import { transcriptionModel } from '../input/soundMeter.ts';

/** `POST /realtime/client_secrets`: a secret for a browser, which opens realtime sockets with one configuration. */
export function createSecret(services: Services): Handler<SecretOrder> {
  return async (ctx) => {
    const { session, value, expiresAt } = await makeSecret(ctx, services);
    const shown = { id: newId('sess'), object: SESSION_OBJECTS[session.type], ...session };
    ctx.body = { value, expires_at: unixSecondsOf(expiresAt), session: shown };
  };
}

/** `POST /realtime/sessions`: the same with the vendor's older names. */
export function createOlderSecret(services: Services): Handler<SecretOrder> {
  return async (ctx) => {
    const { session, value, expiresAt } = await makeSecret(ctx, services).catch((error: unknown) => {
      throw inOlderNames(error);
    });
    const { audio, ...manner } = session as RealtimeSession;
    ctx.body = {
      id: newId('sess'),
      object: 'realtime.session',
      model: manner.model,
      modalities: manner.output_modalities[0] === 'audio' ? ['audio', 'text'] : ['text'],
      instructions: manner.instructions,
      voice: audio.output.voice,
      speed: audio.output.speed,
      input_audio_format: 'pcm16',
      output_audio_format: 'pcm16',
      input_audio_transcription: audio.input.transcription,
      turn_detection: audio.input.turn_detection,
      tools: manner.tools,
      tool_choice: manner.tool_choice,
      max_response_output_tokens: manner.max_output_tokens,
      client_secret: { value, expires_at: unixSecondsOf(expiresAt) },
    };
  };
}

async function makeSecret(ctx: Context<SecretOrder>, services: Services) {
  const order = ctx.state.input;
  const { keyId, workspaceId } = ctx.state.key;
  const { said, session } = sessionOf(ctx, services, order.session);
  await checkSession(ctx, services, session);
  const { spendLimitUsd, maxSessionSeconds, sessionsMax, lifetimeSeconds } = order;
  const { secret: value, expiresAt } = await createClientSecret(services.db.write(workspaceId), keyId, {
    session: said,
    maxSessionSeconds,
    sessionsMax,
    spendLimitNanos: spendLimitUsd === null ? null : nanosOfUsd(spendLimitUsd),
    lifetimeSeconds,
  });
  return { session, value, expiresAt };
}

/** Throws for a voice that there is not, and what the models of a session do not support: its clients could not change what is bound. */
async function checkSession(ctx: Context, services: Services, session: Session): Promise<void> {
  const model = modelOf(ctx, services, session);
  // An upstream that leads the session has voices of its own.
  if (model.kind === 'realtime' && !model.pipeline) return;
  checkHearing(services, model, session);
  if (session.type === 'realtime') await voiceOrder({ ctx, services, model, session }, {}, 'session');
}

/** The session that an order asks for: what is said of it, with the name of its model, and what that makes. */
function sessionOf(ctx: Context, services: Services, said: SessionInput = { type: 'realtime' }) {
  const transcribedBy = said.audio?.input?.transcription?.model;
  if (transcribedBy !== undefined) transcriptionModel(services.catalog, transcribedBy);
  if (said.type === 'transcription') return { said, session: changedSession(newTranscriptionSession(), said) };
  const first = services.catalog.models.find(({ kind }) => kind === 'realtime');
  const model = said.model ?? first?.id ?? 'gpt-realtime';
  findModel(ctx.state, services, model, 'realtime', 'session.model');
  return { said: { ...said, model }, session: changedSession(newRealtimeSession(model), said) };
}

/** A session that a client secret opens. */
interface SecretSession {
  model: Model;
  session: Session;
  /** What the client cannot change. */
  bound: SessionInput;
  maxSessionSeconds: number | null;
  /** Counts the session. Throws 401 or 402 when the secret has expired, or opens no more. */
  begin: () => Promise<void>;
}

/**
 * The session of the client secret with which a socket is opened; undefined when it is opened with a key. Throws 400 for another model than
 * the secret's.
 */
export function secretSessionOf(ctx: Context, services: Services): SecretSession | undefined {
  const { clientSecret } = ctx.state;
  if (!clientSecret) return undefined;
  const { id, maxSessionSeconds } = clientSecret;
  const bound = clientSecret.session as SessionInput;
  const { session } = sessionOf(ctx, services, bound);
  const begin = async () => {
    const refusal = await beginSession(services.db.pool, id);
    if (refusal) throw clientSecretRefused(refusal);
  };
  return { model: modelOf(ctx, services, session), session, bound, maxSessionSeconds, begin };
}

function modelOf(ctx: Context, services: Services, session: Session): Model {
  if (session.type === 'transcription')
    return resolveVoiceModel(ctx.state, services, { name: undefined, kind: 'transcription' });
  const { model: named } = ctx.query;
  const own = findModel(ctx.state, services, session.model, 'realtime');
  if (typeof named !== 'string' || named === '' || findModel(ctx.state, services, named, 'realtime').id === own.id)
    return own;
  throw invalidValue('model', `This client secret is for the model '${own.id}'.`);
}
