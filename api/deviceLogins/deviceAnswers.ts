import { z } from 'zod';
import { ROLES } from '../../db/keys/roles.ts';
import { ListedKey } from '../keys/keyAnswers.ts';

const time = z.iso.datetime();

export const DeviceCodes = z.object({
  device_code: z.string().describe('For the program alone.'),
  user_code: z.string().describe('For the person to compare: `BCDF-GHJK`.'),
  verification_uri: z.string().describe('The page where a signed-in person enters the code.'),
  verification_uri_complete: z.string().describe('The same page with the code.'),
  expires_in: z.int().describe('Seconds until both codes end.'),
  interval: z.int().describe('Seconds to wait between two questions for the key.'),
});

export const DeviceKey = z.object({
  api_key: z.string().describe('The secret, in this answer and nowhere else.'),
  key: ListedKey,
  workspace: z.object({ id: z.string(), name: z.string(), mode: z.enum(['live', 'test']) }),
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }).describe('Who approved it.'),
});

const Place = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  scopes: z.array(z.string()).describe('What the person may give to a key here; empty: they make no keys here.'),
  projects: z.array(z.object({ id: z.string(), name: z.string() })).describe('Those in which the person makes keys.'),
});

export const DeviceLoginAnswer = z.object({
  object: z.literal('device_login'),
  id: z.string(),
  user_code: z.string(),
  status: z.enum(['asked', 'approved', 'denied', 'used']),
  client_name: z.string().nullable().describe('What the program calls itself. Nobody has verified it.'),
  address: z.string().describe('From where it asked.'),
  is_same_network: z.boolean().describe('Whether this request comes from the same network.'),
  scopes: z.array(z.string()).nullable().describe('What it asks for; null: it leaves the choice to the person.'),
  created_at: time,
  expires_at: time,
});

export const DeviceLoginDetail = DeviceLoginAnswer.extend({
  workspaces: z.array(Place).describe('The workspaces of the person.'),
});
