import { stdSerializers } from 'pino';

/** Metadata of Temporal's log lines, with errors as texts of their messages, stacks and causes: as object members they would be lost. */
export function readableMeta(meta: object): Record<string, unknown> {
  const members = Object.entries(meta as Record<string, unknown>);
  return Object.fromEntries(
    members.map(([name, value]) => [name, Error.isError(value) ? stdSerializers.errWithCause(value) : value]),
  );
}
