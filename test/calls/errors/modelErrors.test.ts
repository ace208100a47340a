import { describe, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { findModel } from '../../../calls/findModel.ts';
import { createSnapshot } from '../../../db/catalog/catalog.ts';
import { readCatalog } from '../../support/readCatalog.ts';

const all = readCatalog(fileURLToPath(new URL('../../../catalog.json', import.meta.url)), () => '');
const text = createSnapshot(
  all.models.filter(({ kind }) => kind === 'text'),
  all.upstreams,
);
const catalog = { ...all, ...text, at: () => ({ ...all.at(0), ...text }) };

describe('an installation without a model of a kind', () => {
  test.each([
    [
      'nothing',
      "The model 'nothing' does not exist, or is not for this. No model here is for this. GET /v1/models lists all.",
    ],
    [
      'acme/nobody',
      "The model 'acme/nobody' does not exist, or is not for this. No model here is for this. GET /v1/models lists all, GET /v1/agents the agents.",
    ],
    [
      text.models[0]!.id,
      `The model '${text.models[0]!.id}' is a text model: send it to POST /v1/chat/completions. No model here is for this route.`,
    ],
  ])('names none instead of %s', (name, message) => {
    const caller = { log: {}, startedAtMs: 0 };
    expect(() => findModel(caller, { catalog }, name, 'embedding')).toThrow(message);
  });
});
