import { isObject } from '../../../base/json.ts';
import type { Catalog, Model } from '../../../db/catalog/catalog.ts';
import type { Json } from '../../../providers/provider.ts';
import { TRANSCRIPTION_MODEL } from '../session/sessionConfig.ts';
import { transcriptionModel } from '../input/soundMeter.ts';

/** The transcription that a session asks for; null: none. Undefined: the session does not speak of it. */
function transcriptionIn({ audio }: Json): Json | null | undefined {
  const input = isObject(audio) && isObject(audio.input) ? audio.input : {};
  return isObject(input.transcription) ? input.transcription : (input.transcription as null | undefined);
}

/**
 * A session as its upstream is asked for it, and the model by whose price its transcription is billed: null for none, undefined where that
 * stays as it is. Throws 404 for a model that the catalogue does not have, because it has no price here.
 */
export function withUpstreamsName(
  session: Json,
  { catalog, upstream }: { catalog: Catalog; upstream: string },
): { session: Json; model: Model | null | undefined } {
  const asked = transcriptionIn(session);
  if (!asked) return { session, model: asked };
  const name = typeof asked.model === 'string' ? asked.model : TRANSCRIPTION_MODEL;
  const model = transcriptionModel(catalog, name);
  const served = model.upstreams.find((one) => one.upstream === upstream);
  return { session: withName(session, served?.model ?? name), model };
}

/** The same for a session as its upstream tells of it, for the client. */
export function withCatalogName(session: Json, { catalog, upstream }: { catalog: Catalog; upstream: string }) {
  const told = transcriptionIn(session);
  if (!told) return { session, model: told };
  const name = String(told.model);
  const isServed = ({ upstreams }: Model) => upstreams.some((one) => one.upstream === upstream && one.model === name);
  const own = catalog.models.find((model) => model.kind === 'transcription' && isServed(model));
  return { session: withName(session, own?.id ?? name), model: own ?? catalog.findOfKind(name, 'transcription') };
}

function withName(session: Json, model: string): Json {
  const audio = session.audio as { input: { transcription: Json } };
  const transcription = { ...audio.input.transcription, model };
  return { ...session, audio: { ...audio, input: { ...audio.input, transcription } } };
}
