import { z } from 'zod';
import { faultOfSchema } from '../../base/jsonSchema.ts';

/** A JSON Schema of the supported part; errors name their place in it. */
export const usableSchema = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  const fault = faultOfSchema(schema);
  if (fault) context.addIssue({ code: 'custom', path: fault.path, message: fault.message });
});
