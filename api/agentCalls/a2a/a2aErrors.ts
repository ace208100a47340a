import { z } from 'zod';
import type { ApiError } from '../../../base/errors/apiError.ts';
import { invalidRequest } from '../../../base/errors/requestErrors.ts';

/** How the protocol names an error: in JSON-RPC, over HTTP, and as its reason. */
interface Naming {
  rpcCode: number;
  status: number;
  grpcStatus: string;
  reason: string;
}

const precondition = (rpcCode: number, reason: string): Naming => ({
  rpcCode,
  status: 400,
  grpcStatus: 'FAILED_PRECONDITION',
  reason,
});

const invalid = (rpcCode: number, reason: string): Naming => ({
  rpcCode,
  status: 400,
  grpcStatus: 'INVALID_ARGUMENT',
  reason,
});

/** Our codes that have an equivalent error in the protocol. */
const NAMINGS: Record<string, Naming> = {
  run_not_found: { rpcCode: -32001, status: 404, grpcStatus: 'NOT_FOUND', reason: 'TASK_NOT_FOUND' },
  run_already_terminal: precondition(-32002, 'TASK_NOT_CANCELABLE'),
  push_notification_not_supported: precondition(-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED'),
  unsupported_operation: precondition(-32004, 'UNSUPPORTED_OPERATION'),
  content_type_not_supported: invalid(-32005, 'CONTENT_TYPE_NOT_SUPPORTED'),
  unsupported_media_type: { ...invalid(-32005, 'CONTENT_TYPE_NOT_SUPPORTED'), status: 415 },
  version_not_supported: precondition(-32009, 'VERSION_NOT_SUPPORTED'),
  invalid_body: invalid(-32700, 'PARSE_ERROR'),
  invalid_request: invalid(-32600, 'INVALID_REQUEST'),
  method_not_found: { rpcCode: -32601, status: 404, grpcStatus: 'NOT_FOUND', reason: 'METHOD_NOT_FOUND' },
};

const GRPC_STATUSES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
const OWN_RPC_CODE = -32000;

function namingOf({ code, status }: ApiError): Naming {
  if (Object.hasOwn(NAMINGS, code)) return NAMINGS[code]!;
  if (status === 400 || status === 422) return invalid(-32602, 'INVALID_PARAMS');
  if (status === 500) return { rpcCode: -32603, status, grpcStatus: 'INTERNAL', reason: 'INTERNAL_ERROR' };
  return { rpcCode: OWN_RPC_CODE, status, grpcStatus: GRPC_STATUSES[status] ?? 'UNKNOWN', reason: code.toUpperCase() };
}

const ERROR_INFO = 'type.googleapis.com/google.rpc.ErrorInfo';

// `google.rpc.ErrorInfo`: clients choose their error class by its reason. Our own code is in its metadata.
function detailsOf({ code, param }: ApiError, reason: string) {
  const isOwn = code.toUpperCase() === reason && !Object.values(NAMINGS).some((one) => one.reason === reason);
  return [
    {
      '@type': ERROR_INFO,
      reason,
      domain: isOwn ? 'ledgerline' : 'a2a-protocol.org',
      metadata: { code, ...(param !== null && { param }) },
    },
  ];
}

/** The error of a JSON-RPC answer. */
export function rpcErrorOf(error: ApiError) {
  const { rpcCode, reason } = namingOf(error);
  return { code: rpcCode, message: error.message, data: detailsOf(error, reason) };
}

/** The error of an HTTP+JSON answer. */
export const A2aError = {
  id: 'A2aError',
  schema: z.object({
    error: z.object({
      code: z.int().describe('The status of the answer.'),
      status: z.string().describe('Its name in gRPC, for example `NOT_FOUND`.'),
      message: z.string().describe('A sentence for humans.'),
      details: z.array(
        z.object({
          '@type': z.literal(ERROR_INFO),
          reason: z
            .string()
            .describe('The error of the protocol, for example `TASK_NOT_FOUND`, or our code in capitals.'),
          domain: z.enum(['a2a-protocol.org', 'ledgerline']),
          metadata: z.object({ code: z.string().describe('Our own code.'), param: z.string().optional() }),
        }),
      ),
    }),
  }),
};

/** The error of an HTTP+JSON answer, and its status. */
export function httpErrorOf(error: ApiError) {
  const { status, grpcStatus, reason } = namingOf(error);
  const body = {
    error: { code: status, status: grpcStatus, message: error.message, details: detailsOf(error, reason) },
  };
  return { status, body };
}

export const invalidMessage = (param: string, message: string) =>
  invalidRequest('invalid_params', `${param}: ${message}`, param);

export const unsupportedOperation = (message: string) => invalidRequest('unsupported_operation', message);

export const pushNotSupported = () =>
  invalidRequest(
    'push_notification_not_supported',
    'This server sends no push notifications: stream the task, subscribe to it, or register a webhook ' +
      'endpoint at /platform/v1/webhook_endpoints.',
  );

export const contentNotSupported = (param: string, message: string) =>
  invalidRequest('content_type_not_supported', `${param}: ${message}`, param);

export const versionNotSupported = (version: string) =>
  invalidRequest(
    'version_not_supported',
    `This server speaks version 1.0 of the protocol, not '${version.slice(0, 20)}'.`,
  );

export const invalidEnvelope = (message: string) => invalidRequest('invalid_request', message);

// `message/send`, `tasks/get`, … of version 0.3.
const OLD_METHOD = /^(message|tasks|agent)\//;

export const unknownMethod = (method: string) =>
  invalidRequest(
    'method_not_found',
    OLD_METHOD.test(method)
      ? `The method '${method.slice(0, 100)}' is of version 0.3 of the protocol. This server speaks version 1.0, ` +
          'with methods as SendMessage: use a client of 1.0.'
      : `There is no method '${method.slice(0, 100)}'. This server speaks version 1.0 of the protocol.`,
  );
