import { readFileSync } from 'node:fs';
import type { PayloadCodec } from '@temporalio/common';
import { readVariables } from './environment.ts';
import { createPayloadCodec } from './payloadCodec.ts';

/** The variables for the connection to Temporal. */
export const TEMPORAL_VARIABLES = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_PAYLOAD_KEY',
] as const;

/** How to connect to Temporal: the bundled server, a server behind TLS, or Temporal Cloud. */
export interface TemporalSettings {
  /** `host:port` of the frontend. */
  address: string;
  namespace: string;
  /** Undefined: without TLS. */
  tls?: TlsSettings;
  /** Sent as a bearer token; only with TLS. */
  apiKey?: string;
  /** For clients and workers; undefined: payloads are plain. */
  dataConverter?: { payloadCodecs: PayloadCodec[] };
}

interface TlsSettings {
  serverNameOverride?: string;
  serverRootCACertificate?: Buffer;
  clientCertPair?: { crt: Buffer; key: Buffer };
}

/**
 * The settings from the environment. The variables have the names of Temporal's own environment configuration, so that its command line
 * works with them too.
 * @throws an error that names each variable with an invalid value.
 */
export function readTemporalSettings(env: NodeJS.ProcessEnv): TemporalSettings {
  const values = readVariables(env, TEMPORAL_VARIABLES);
  const tls = tlsOf(values);
  if (values.TEMPORAL_API_KEY !== undefined && !tls)
    throw new Error('TEMPORAL_TLS: must not be off with TEMPORAL_API_KEY, which would be sent in clear');
  return {
    address: values.TEMPORAL_ADDRESS ?? '127.0.0.1:7233',
    namespace: values.TEMPORAL_NAMESPACE,
    ...(tls && { tls }),
    ...(values.TEMPORAL_API_KEY !== undefined && { apiKey: values.TEMPORAL_API_KEY }),
    ...(values.TEMPORAL_PAYLOAD_KEY !== undefined && {
      dataConverter: { payloadCodecs: [createPayloadCodec(values.TEMPORAL_PAYLOAD_KEY)] },
    }),
  };
}

/** The settings of a connection. */
export const connectionOptionsOf = ({ address, tls, apiKey }: TemporalSettings) => ({ address, tls, apiKey });

/** The settings of a client beside its connection. */
export const clientOptionsOf = ({ namespace, dataConverter }: TemporalSettings) => ({ namespace, dataConverter });

type Values = ReturnType<typeof readVariables<(typeof TEMPORAL_VARIABLES)[number]>>;

/** TLS is on when requested, or when a certificate, a server name or an API key is set. */
function tlsOf(values: Values): TlsSettings | undefined {
  const ca = readPem(values, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH');
  const crt = readPem(values, 'TEMPORAL_TLS_CLIENT_CERT_PATH');
  const key = readPem(values, 'TEMPORAL_TLS_CLIENT_KEY_PATH');
  const name = values.TEMPORAL_TLS_SERVER_NAME;
  if (Boolean(crt) !== Boolean(key))
    throw new Error('TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH belong together: one is not set');
  const isImplied = [ca, crt, name, values.TEMPORAL_API_KEY].some((value) => value !== undefined);
  if (values.TEMPORAL_TLS === 'off' || (values.TEMPORAL_TLS === undefined && !isImplied)) return undefined;
  return {
    ...(name !== undefined && { serverNameOverride: name }),
    ...(ca && { serverRootCACertificate: ca }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  };
}

type PemName = 'TEMPORAL_TLS_SERVER_CA_CERT_PATH' | 'TEMPORAL_TLS_CLIENT_CERT_PATH' | 'TEMPORAL_TLS_CLIENT_KEY_PATH';

function readPem(values: Values, name: PemName): Buffer | undefined {
  const path = values[name];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`${name} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
