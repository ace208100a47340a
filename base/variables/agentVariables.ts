import * as z from 'zod';
import { address } from './variableTypes.ts';

/** Variables of a model for agents outside the catalogue files. */
export const AGENT_UPSTREAM = {
  AGENT_UPSTREAM_KEY: z
    .string()
    .optional()
    .meta({ isSecret: true, about: 'Key of a vendor: gives agents a real model' }),
  AGENT_UPSTREAM_URL: address('https?', 'https://api.openai.com/v1').optional().meta({
    about: "Address of that vendor, which speaks OpenAI's protocol",
    unset: 'https://api.openai.com/v1',
  }),
  AGENT_UPSTREAM_MODEL: z
    .string()
    .regex(/^\S{1,200}$/, 'must be the name of a model, without spaces')
    .default('gpt-4.1-mini')
    .meta({ about: "The vendor's name of the model" }),
  AGENT_UPSTREAM_USD_PER_MILLION: z
    .string()
    .regex(/^\d+(\.\d{1,6})?\/\d+(\.\d{1,6})?$/, 'must be the prices of input and output tokens, such as 0.4/1.6')
    .optional()
    .meta({
      about: 'What a million input and output tokens cost there in US dollars, such as 0.4/1.6',
      unset: '0.4/1.6 for gpt-4.1-mini at OpenAI, else 150/600, which no model exceeds',
    }),
};
