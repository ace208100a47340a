import { stdSerializers } from 'pino';

/** What Temporal's library wants logged, with errors as their texts and stacks and those of their causes: as members of an object they would be lost. */
export function readableMeta(meta: object): Record<string, unknown> {
  const members = Object.entries(meta as Record<string, unknown>);
  return Object.fromEntries(
    members.map(([name, value]) => [name, Error.isError(value) ? stdSerializers.errWithCause(value) : value]),
  );
}
