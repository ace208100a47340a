import { optionalTextBody } from '../body/body.ts';
import { clientSecret, type Keyed, scope } from '../guard/key.ts';
import { get, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { parseClientSecret, parseOlderSession } from './secrets/clientSecretInput.ts';
import { createOlderSecret, createSecret } from './secrets/clientSecrets.ts';
import { openRealtime } from './openRealtime.ts';
import { secretDocs } from './secrets/secretDocs.ts';

/** Realtime sockets and the client secrets that open them, at both addresses of OpenAI's routes. */
export function realtimeRoutes(services: Services, keyed: Keyed): Route[] {
  const voice: Keyed = (...checks) => keyed(scope('voice'), ...checks);
  const secret = <Input>(parse: (value: unknown) => Input) => voice(optionalTextBody(parse));
  const about = secretDocs();
  return ['/textapi/v1', '/v1'].flatMap((prefix) => [
    get(`${prefix}/realtime`, [clientSecret(services), ...voice()], openRealtime(services)),
    post(`${prefix}/realtime/client_secrets`, secret(parseClientSecret), createSecret(services), about.clientSecret),
    post(`${prefix}/realtime/sessions`, secret(parseOlderSession), createOlderSecret(services), about.olderSecret),
  ]);
}
