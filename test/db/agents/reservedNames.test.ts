import { expect, test } from '@jest/globals';
import { isReservedName } from '../../../db/agents/namespaces.ts';

test.each([
  'admin',
  'ledgerline',
  'ledger1ine',
  'ledger-line',
  'iedgerline',
  '1edger1ine',
  'adrnin',
  'adm1n',
  '0penai',
  'suppor7',
  'ledgerline-official',
  'official-ledgerline',
  'the-ledger1ine-team',
  'openai-verified',
  'official-support',
  'the-verified-team',
  'ledgerline-research',
  'ledgerlines',
])('the namespace %s is reserved, or looks like a reserved one', (name) => expect(isReservedName(name)).toBe(true));

test.each([
  'acme',
  'ledger',
  'administrators-guild',
  'space-admin',
  'lineage',
  'documented',
  'test',
  'acme-official',
  'pinstripes',
  'my-agents',
])('the namespace %s is free', (name) => expect(isReservedName(name)).toBe(false));
