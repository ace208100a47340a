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
])('the namespace %s is reserved, or looks like a reserved one', (name) => expect(isReservedName(name)).toBe(true));

test.each(['acme', 'ledger', 'administrators-guild', 'space-admin', 'lineage', 'documented', 'test'])(
  'the namespace %s is free',
  (name) => expect(isReservedName(name)).toBe(false),
);
