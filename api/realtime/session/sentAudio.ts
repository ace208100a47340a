import { isObject } from '../../../base/json.ts';
import { InvalidRequest, unsupportedParameter } from '../../../base/errors/invalidRequest.ts';

/** The one format of sound in both directions. */
export const PCM_FORMAT = { type: 'audio/pcm', rate: 24_000 } as const;

/** Turn detection and formats that the vendor has and this service has not: refused by the name of the parameter. */
export function refuseOtherAudio(session: unknown): void {
  refuseOtherFormats(session, 'session');
  const detection = memberOf(memberOf(memberOf(memberOf(session, 'audio'), 'input'), 'turn_detection'), 'type');
  if (detection !== undefined && detection !== 'server_vad')
    throw unsupported(
      'session.audio.input.turn_detection.type',
      detection,
      `'server_vad', or null for no turn detection`,
    );
}

/** A session with null for a turn detection whose type is null: both switch it off. */
export function withoutNullDetection<Session>(session: Session): Session {
  const audio = memberOf(session, 'audio');
  const input = memberOf(audio, 'input');
  const detection = memberOf(input, 'turn_detection');
  if (!isObject(detection) || detection.type !== null) return session;
  return { ...session, audio: { ...(audio as object), input: { ...(input as object), turn_detection: null } } };
}

/** Throws for a format of sound other than the one of this service. */
export function refuseOtherFormats(value: unknown, name: 'session' | 'response'): void {
  for (const side of ['input', 'output'] as const) {
    const type = memberOf(memberOf(memberOf(memberOf(value, 'audio'), side), 'format'), 'type');
    if (type !== undefined && type !== PCM_FORMAT.type)
      throw unsupported(`${name}.audio.${side}.format`, type, `'${PCM_FORMAT.type}' with a rate of ${PCM_FORMAT.rate}`);
  }
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? (value[name] ?? undefined) : undefined);

function unsupported(param: string, value: unknown, supported: string): InvalidRequest {
  if (typeof value !== 'string') return unsupportedParameter(param);
  const message = `Unsupported value: '${value.slice(0, 100)}' is not supported for '${param}'. Send ${supported}.`;
  return new InvalidRequest('unsupported_parameter', param, message);
}
