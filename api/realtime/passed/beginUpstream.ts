import { isObject } from '../../../base/json.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import { faultOfEvent, type RealtimeUpstream } from '../../../providers/realtimeProviders.ts';
import { ProviderError, type Json } from '../../../providers/provider.ts';
import type { Context } from '../../context.ts';
import type { Services } from '../../services.ts';
import { withBound } from '../session/boundSession.ts';
import type { SessionInput } from '../session/sessionConfig.ts';
import { withUpstreamsName } from './passedTranscription.ts';

/** Begins the session at the model's upstream, with what a client secret binds. Throws `ProviderError`. */
export async function beginUpstream(
  ctx: Context,
  services: Services,
  model: Model,
  bound?: SessionInput,
): Promise<RealtimeUpstream> {
  const upstream = await services.realtimeProviders.open(model, {
    test: ctx.state.test,
    noRetention: ctx.state.key.noRetention,
  });
  if (!bound) return upstream;
  const updated = Promise.withResolvers<Json>();
  upstream.onEvents((event) => {
    if (event.type === 'session.updated' && isObject(event.session)) updated.resolve(event.session);
    else if (event.type === 'error') updated.reject(faultOfEvent(event));
  });
  void upstream.closed.then(updated.reject);
  updated.promise.catch(() => {});
  const late = () => updated.reject(new ProviderError('stalled', 'the upstream did not update its session in time'));
  const waiting = setTimeout(late, services.config.upstream.idleTimeoutMs);
  try {
    const place = { catalog: services.catalog, upstream: upstream.name };
    void upstream.send({ type: 'session.update', session: withUpstreamsName(withBound({}, bound), place).session });
    return { ...upstream, session: await updated.promise };
  } catch (error) {
    upstream.close();
    throw error;
  } finally {
    clearTimeout(waiting);
  }
}
