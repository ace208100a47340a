import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../providers/provider.ts';
import { invalidValue, unsupportedParameter } from '../../../base/errors/invalidRequest.ts';
import { withBound, withoutBound } from '../session/boundSession.ts';
import { schemaOf } from '../session/clientEvents.ts';
import { refuseOtherAudio, refuseOtherFormats, withoutNullDetection } from '../session/sentAudio.ts';
import type { SessionInput } from '../session/sessionConfig.ts';

const BYTES_A_MS = 48;

/**
 * An event of a client for an upstream, where it stays as it is but for what the platform decides: which model, what is bound to a client
 * secret. Throws `InvalidRequest` for what no session of the service has, and for what would use the platform's own account at the upstream.
 */
export function toUpstream(sent: Json, isOwnModel: (name: string) => boolean, bound?: SessionInput): Json {
  schemaOf(sent);
  const { session, response } = sent;
  if (sent.type === 'session.update' && isObject(session))
    return { ...sent, session: withBound(sessionForUpstream(session, isOwnModel), bound) };
  if (isObject(response)) {
    refuseOtherFormats(response, 'response');
    refuseOwnAccount(response, 'response');
    return { ...sent, response: withoutBound(response, bound) };
  }
  return sent;
}

function sessionForUpstream(session: Json, isOwnModel: (name: string) => boolean): Json {
  refuseOtherAudio(session);
  refuseOwnAccount(session, 'session');
  const { model, ...others } = withoutNullDetection(session);
  if (typeof model === 'string' && !isOwnModel(model))
    throw invalidValue('session.model', 'The model of a session cannot change. Open another socket for it.');
  return others;
}

/** Stored prompts belong to the platform's account, and servers of tools are called, and charged for, by the upstream. */
function refuseOwnAccount({ prompt, tools }: Json, name: 'session' | 'response'): void {
  if (prompt !== undefined && prompt !== null) throw unsupportedParameter(`${name}.prompt`);
  const isOther = (tool: unknown) => isObject(tool) && tool.type !== undefined && tool.type !== 'function';
  const at = Array.isArray(tools) ? tools.findIndex(isOther) : -1;
  if (at !== -1) throw unsupportedParameter(`${name}.tools[${at}].type`);
}

/** How much sound an event brings, in milliseconds: appended, or inside items. */
export function soundMsIn(sent: Json): number {
  if (sent.type === 'input_audio_buffer.append') return msOf(sent.audio);
  const { item, response } = sent;
  const items = isObject(response) && Array.isArray(response.input) ? response.input : [item];
  const parts = items.flatMap((one: unknown) => (isObject(one) && Array.isArray(one.content) ? one.content : []));
  return parts.reduce((sum: number, part: unknown) => sum + (isObject(part) ? msOf(part.audio) : 0), 0);
}

const msOf = (audio: unknown): number =>
  typeof audio === 'string' ? Buffer.byteLength(audio, 'base64') / BYTES_A_MS : 0;
