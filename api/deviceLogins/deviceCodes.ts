import type { z } from 'zod';
import { countTry, type Allowance } from '../../db/accounts/throttle.ts';
import {
  beginDeviceLogin,
  INTERVAL_SECONDS,
  LOGIN_SECONDS,
  pollDeviceLogin,
  type Poll,
} from '../../db/keys/deviceLogins.ts';
import { fetchApprovedKey, type FetchedKey } from '../../db/keys/fetchKey.ts';
import { modeOf } from '../../db/workspaces/mode.ts';
import { tooManyTries } from '../../base/errors/keyErrors.ts';
import type { Context, Handler } from '../context.ts';
import { clientAddressOf, shownAddressOf } from '../guard/allowedAddress.ts';
import { networkOf } from '../guard/throttling.ts';
import { presentKey } from '../keys/keys.ts';
import type { Services } from '../services.ts';
import type { DeviceCodes, DeviceKey } from './deviceAnswers.ts';
import { noKeyYet, type NoKeyCode } from './deviceErrors.ts';
import type { DeviceCodesBody, DeviceTokenBody } from './deviceSchema.ts';

// A whole office may share an address, so these bound a flood, not a person.
const BEGUN: Allowance = { triesMax: 60, windowSeconds: 900 };
const ASKED: Allowance = { triesMax: 1_200, windowSeconds: 60 };

/** `POST /platform/v1/device/codes`: begins a login. Throws 429 `too_many_tries`. */
export function createDeviceCodes({ db, config }: Services): Handler<z.output<typeof DeviceCodesBody>> {
  return async (ctx) => {
    const { client_name: clientName = null, scopes = null } = ctx.state.input;
    await countFrom(ctx, db, 'device codes', BEGUN);
    const { deviceCode, userCode } = await beginDeviceLogin(db.pool, {
      clientName,
      scopes,
      address: shownAddressOf(ctx),
    });
    const page = `${config.publicUrl}/device`;
    ctx.body = {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?code=${userCode}`,
      expires_in: LOGIN_SECONDS,
      interval: INTERVAL_SECONDS,
    } satisfies z.infer<typeof DeviceCodes>;
  };
}

/** `POST /platform/v1/device/token`: makes and answers the key of an approved login, once. Throws 400 with the codes of RFC 8628. */
export function createDeviceKey({ db }: Services): Handler<z.output<typeof DeviceTokenBody>> {
  return async (ctx) => {
    await countFrom(ctx, db, 'device token', ASKED);
    const polled = await pollDeviceLogin(db.pool, ctx.state.input.device_code);
    if (polled?.state !== 'approved') throw noKeyYet(refusalOf(polled));
    const { id, workspaceId } = polled.login;
    const fetched = await fetchApprovedKey(db, { id, workspaceId: workspaceId! }, ctx.state.requestId);
    if (fetched === 'ended') throw noKeyYet('expired_token');
    if (fetched === 'denied') throw noKeyYet('access_denied');
    ctx.body = present(fetched);
  };
}

/** Why there is no key: RFC 8628, 3.5. */
function refusalOf(polled: Poll | undefined): NoKeyCode {
  if (polled?.state === 'denied') return 'access_denied';
  if (polled?.state !== 'asked') return 'expired_token';
  return polled.isEarly ? 'slow_down' : 'authorization_pending';
}

function present({ key, secret, workspaceId, maker }: FetchedKey) {
  return {
    api_key: secret,
    key: presentKey(key, key.id),
    workspace: { id: workspaceId, name: maker.workspaceName, mode: modeOf(workspaceId) },
    user: { id: key.ownerUserId!, name: maker.name, email: maker.email },
  } satisfies z.infer<typeof DeviceKey>;
}

async function countFrom(ctx: Context, { pool }: Services['db'], what: string, allowance: Allowance): Promise<void> {
  const { waitMs } = await countTry(pool, `${what} from ${networkOf(clientAddressOf(ctx))}`, allowance);
  if (waitMs > 0) throw tooManyTries(waitMs);
}
