import { z } from 'zod';
import { faultOfSchema } from '../../base/jsonSchema.ts';
import { record } from '../../base/record.ts';

/** A JSON Schema of the supported part; errors name their place in it. */
export const usableSchema = record(z.string(), z.unknown()).superRefine((schema, context) => {
  const fault = faultOfSchema(schema);
  if (fault) context.addIssue({ code: 'custom', path: fault.path, message: fault.message });
});
