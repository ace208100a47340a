import { readFile } from 'node:fs/promises';
import { Ledgerline } from 'ledgerline';

const [keys, statement] = await Promise.all([readFile('bill-keys.json', 'utf8'), readFile('statement.jsonl', 'utf8')]);
console.log(await new Ledgerline().statements.verify(statement, JSON.parse(keys)));
