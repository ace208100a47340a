import { hostname } from 'node:os';
import { APIConnectionError, APIError, Ledgerline, ServerError, type Schemas } from '../../src/index.ts';
import { sleep } from '../../src/http.ts';
import { ExitCode } from '../exitCodes.ts';
import { Failure } from '../failure.ts';

export type DeviceCodes = Schemas['DeviceCodes'];
export type DeviceKey = Schemas['DeviceKey'];

// RFC 8628, 3.5: how much longer a program waits that was too fast.
const SLOWER_SECONDS = 5;

export interface DeviceFlow {
  codes: DeviceCodes;
  /** Resolves with the key when a person has approved it. */
  key(signal: AbortSignal): Promise<DeviceKey>;
}

/** Begins a login by the device flow of RFC 8628. */
export async function beginDeviceFlow(baseUrl: string, scopes: Scopes | undefined): Promise<DeviceFlow> {
  // No key of the environment is sent along.
  const { api } = new Ledgerline({ baseUrl, apiKey: '' });
  const client_name = `ledgerline on ${hostname().replace(/[^\w.-]/g, '') || 'a machine'}`.slice(0, 80);
  const { data: codes } = await api.POST('/platform/v1/device/codes', { body: { client_name, scopes } });
  const ask = async (signal: AbortSignal) => {
    const body = { device_code: codes.device_code };
    return (await api.POST('/platform/v1/device/token', { body, signal })).data;
  };
  return { codes, key: (signal) => poll(codes, ask, signal) };
}

export type Scopes = NonNullable<Schemas['DeviceCodesOrder']['scopes']>;

async function poll(
  { interval, expires_in }: DeviceCodes,
  ask: (signal: AbortSignal) => Promise<DeviceKey>,
  signal: AbortSignal,
): Promise<DeviceKey> {
  const endsAtMs = Date.now() + expires_in * 1000;
  for (let seconds = interval; Date.now() < endsAtMs;) {
    await sleep(seconds * 1000, signal);
    try {
      return await ask(signal);
    } catch (error) {
      const code = error instanceof APIError ? error.code : null;
      if (code === 'slow_down') seconds += SLOWER_SECONDS;
      else if (error instanceof APIConnectionError || error instanceof ServerError) seconds = Math.min(60, seconds * 2);
      else if (code !== 'authorization_pending') throw refusalOf(error, code);
    }
  }
  throw refusalOf(undefined, 'expired_token');
}

function refusalOf(error: unknown, code: string | null): unknown {
  const failure = (message: string) =>
    new Failure(message, { hint: 'Begin again with `ledgerline login`.', exitCode: ExitCode.notSignedIn });
  if (code === 'access_denied') return failure('The login was denied, or may not make this key.');
  if (code === 'expired_token') return failure('Nobody approved the login in time.');
  return error;
}
