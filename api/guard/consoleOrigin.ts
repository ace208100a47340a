import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { guard, type Guard } from '../context.ts';
import { csrfRefused, hostNotAllowed } from '../../base/errors/keyErrors.ts';
import type { ApiConfig } from '../config.ts';
import { isLocalName, LOCAL_NAMES } from '../../base/web.ts';

/**
 * Refuses a request whose Host is not the console's, or whose `Origin` differs from that Host's origin: 403 `host_not_allowed`,
 * `csrf_refused`. A page whose host name is pointed at this machine (DNS rebinding) has that name in both, and counts as `same-origin` for
 * the browser. Declares no refusals: there are none at the console's own address.
 */
export function fromConsole({ config: { publicUrl } }: { config: Pick<ApiConfig, 'publicUrl'> }): Guard {
  return guard([], (ctx, next) => {
    const own = originOfConsole(ctx.req, publicUrl);
    if (own === undefined) throw hostNotAllowed(publicUrl);
    const { origin, upgrade, cookie } = ctx.req.headers;
    // A page of any origin may open a socket with the cookie and read it. Browsers always send the origin then.
    if (SENT_BY_OTHERS.test(ctx.path)) return next();
    const isOwn = origin === undefined ? upgrade === undefined || cookie === undefined : origin === own;
    if (!isOwn) throw csrfRefused('The request comes from a page of another origin.');
    return next();
  });
}

// A SAML provider's page sends its answer to this address. The handler takes it only from a page of ours.
const SENT_BY_OTHERS = /^\/console\/v1\/auth\/sso\/saml2\/sp\/acs\/idp_[0-9A-Za-z]{1,60}$/;

/**
 * The console's origin in a request: PUBLIC_URL's or, while that is local, any local name with the port of PUBLIC_URL or of the connection.
 * Undefined for another Host.
 */
function originOfConsole({ headers: { host = '' }, socket }: IncomingMessage, publicUrl: string): string | undefined {
  const own = new URL(publicUrl);
  if (URL.parse(`${own.protocol}//${host}`)?.host === own.host) return own.origin;
  const scheme = (socket as TLSSocket).encrypted ? 'https:' : 'http:';
  const asked = isLocalName(own.hostname) ? URL.parse(`${scheme}//${host}`) : null;
  if (asked === null || !LOCAL_NAMES.includes(asked.hostname)) return undefined;
  const isOwnPort = asked.port === own.port || portOf(asked) === socket.localPort;
  return isOwnPort ? asked.origin : undefined;
}

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);
