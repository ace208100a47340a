import * as z from 'zod';
import { address, oneOf, wholeNumber } from './variableTypes.ts';

const AT_ONCE_MAX = 2_000;

const atOnce = (usual: number, about: string) => wholeNumber(1, AT_ONCE_MAX).default(usual).meta({ about });

/** Temporal's variables. Connection settings have the names of Temporal's own environment configuration. */
export const TEMPORAL = {
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^/]+:\d{1,5}$/, 'must be host:port')
    .refine((text) => Number(/\d+$/.exec(text)?.[0]) <= 65_535, 'must be host:port')
    .optional()
    .meta({ about: "Temporal's frontend, as host:port" }),
  TEMPORAL_NAMESPACE: z.string().default('default').meta({ about: "Temporal's namespace" }),
  TEMPORAL_API_KEY: z
    .string()
    .optional()
    .meta({ isSecret: true, about: "API key of Temporal Cloud or of a server's authorizer; turns TLS on" }),
  TEMPORAL_TLS: oneOf('on', 'off')
    .optional()
    .meta({ about: 'Whether Temporal is reached with TLS: on or off', unset: 'on with an API key or a certificate' }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: z
    .string()
    .optional()
    .meta({ about: "PEM file of the authority that signed Temporal's certificate", unset: 'those that Node trusts' }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: z
    .string()
    .optional()
    .meta({ about: 'PEM file of the certificate that this installation shows to Temporal (mTLS)' }),
  TEMPORAL_TLS_CLIENT_KEY_PATH: z.string().optional().meta({ about: 'PEM file of its private key' }),
  TEMPORAL_TLS_SERVER_NAME: z
    .string()
    .optional()
    .meta({ about: "Name that Temporal's certificate must have", unset: "the address's host" }),
  TEMPORAL_PAYLOAD_KEY: z.string().optional().meta({
    isSecret: true,
    about:
      'Key that encrypts what Temporal stores: 32 random bytes in base64; older keys, which only decrypt, follow after commas',
    unset: 'ids, meters and small results are readable in Temporal',
  }),
  MODEL_STEPS_AT_ONCE: atOnce(100, 'Calls of models for runs, and short activities, that a worker carries at once'),
  TOOL_STEPS_AT_ONCE: atOnce(100, 'Steps with tools that a worker carries at once'),
  BATCHES_AT_ONCE: atOnce(8, 'Batches that a worker carries at once'),
  TEMPORAL_UI_URL: address('https?', 'http://127.0.0.1:8233')
    .optional()
    .meta({ about: "Temporal's pages, which the console links to for operators", unset: 'npm start sets it' }),
};
