import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Ledgerline } from 'ledgerline';

const client = new Ledgerline();
const sales = new File([await openAsBlob('sales.csv')], 'sales.csv');
const { output, files } = await client.agents.run('acme/analyst', 'Sum the sales.', { files: [sales] });
console.log(output);
for (const { file_id, filename } of files) await writeFile(filename, await client.files.download(file_id));
