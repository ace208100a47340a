import { afterAll, describe, expect, test } from '@jest/globals';
import { TAX_ID_TYPES, taxIdProblem } from '../../../api/invoices/taxIds.ts';
import { NO_DETAILS } from '../../../db/invoices/details.ts';
import { issueInvoices } from '../../../db/invoices/issueInvoices.ts';
import { createKey } from '../../../db/keys/keyStore.ts';
import { makeAccount } from '../../support/account.ts';
import { failAtOnce, TEST_ISSUER } from '../../support/issuer.ts';
import { setStage } from '../platform/stage.ts';

const stage = await setStage();
const account = await makeAccount(stage.db, { creditUsd: '10', isTest: true });
const { workspaceId } = account;
const manager = (await createKey(stage.db.everywhere, { workspaceId, name: 'manager', scopes: ['manage'] })).secret;
afterAll(() => stage.close());

async function send(method: string, path: string, body?: object, key = manager) {
  const response = await fetch(`${stage.api.url}/platform/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown> & { data: { id: string; month: string }[] },
  };
}

const NORTHWIND = {
  company: 'Północny Wiatr',
  line1: 'ul. Świętokrzyska 12',
  postal_code: '90-001',
  city: 'Łódź',
  country: 'PL',
  tax_id: { type: 'eu_vat', value: 'PL 123-456-78-90' },
  purchase_order: 'PO-1',
  email: 'payable@northwind.example',
};

describe('/platform/v1/billing/details', () => {
  test('are empty, changed in part, and removed by null', async () => {
    const { tax_id: _none, ...empty } = (await send('GET', 'billing/details')).body;
    expect(empty).toMatchObject({ object: 'billing_details', company: null, country: null, updated_at: null });
    expect(Object.keys(empty)).toHaveLength(Object.keys(NO_DETAILS).length);
    const saved = await send('PATCH', 'billing/details', NORTHWIND);
    expect(saved).toMatchObject({ status: 200, body: { ...NORTHWIND, region: null, updated_at: expect.any(String) } });
    const changed = await send('PATCH', 'billing/details', { tax_id: null, region: 'Łódzkie' });
    expect(changed.body).toMatchObject({ ...NORTHWIND, tax_id: null, region: 'Łódzkie' });
    const { rows } = await stage.db.pool.query(
      `select detail -> 'after' ->> 'company' as company from audit_entries
       where workspace_id = $1 and action = 'change_billing_details' order by created_at, id`,
      [account.workspaceId],
    );
    expect(rows).toEqual([{ company: NORTHWIND.company }, { company: null }]);
  });

  test.each([
    [{ country: 'XX' }, 'country'],
    [{ country: 'EU' }, 'country'],
    [{ country: 'de' }, 'country'],
    [{ company: '東京株式会社' }, 'company'],
    [{ company: '' }, 'company'],
    [{ email: 'nobody' }, 'email'],
    [{ tax_id: { type: 'eu_vat', value: 'DE12' } }, 'tax_id.value'],
    [{ tax_id: { type: 'moon', value: '1' } }, 'tax_id.type'],
    [{ vat: '1' }, 'vat'],
  ])('%j is refused, and %s named', async (body, param) => {
    const { status, body: answer } = await send('PATCH', 'billing/details', body);
    expect({ status, named: JSON.stringify(answer).includes(param.split('.').at(-1)!) }).toEqual({
      status: 422,
      named: true,
    });
  });

  test('and invoices need the scope manage', async () => {
    for (const path of ['billing/details', 'billing/invoices'])
      expect((await send('GET', path, undefined, account.secret)).status).toBe(403);
  });

  test('know the forms of common tax numbers', () => {
    const good: [string, string][] = [
      ['eu_vat', 'DE123456789'],
      ['eu_vat', 'ATU12345678'],
      ['eu_vat', 'NL123456789B01'],
      ['gb_vat', 'GB 123 4567 89'],
      ['ch_vat', 'CHE-123.456.789 MWST'],
      ['us_ein', '12-3456789'],
      ['zw_tin', 'anything'],
    ];
    for (const [type, value] of good) expect(taxIdProblem(type, value)).toBeUndefined();
    expect(taxIdProblem('gb_vat', 'GB1')).toContain('GB123456789');
    expect(new Set(TAX_ID_TYPES).size).toBe(TAX_ID_TYPES.length);
  });
});

describe('/platform/v1/billing/invoices', () => {
  test('an invoice of an ended month is listed, read, found, and downloaded; its sums are those of the statement', async () => {
    expect((await send('GET', 'billing/invoices')).body).toEqual({
      object: 'list',
      data: [],
      has_more: false,
      next_cursor: null,
    });
    await stage.db.pool.query(`update invoice_series set begins_after = '2000-01'`);
    // By the clock of the test workspace, the month ends.
    await stage.db.pool.query(`update workspaces set clock_seconds = 40 * 86400 where id = $1`, [account.workspaceId]);
    expect(await issueInvoices(stage.db, TEST_ISSUER, failAtOnce)).toBe(1);
    const { data } = (await send('GET', 'billing/invoices')).body;
    expect(data).toEqual([
      expect.objectContaining({
        number: 'TEST-000001',
        status: 'paid',
        is_test: true,
        net_usd: 10,
        tax_usd: 0,
        total_usd: 10,
        opening_balance_usd: 0,
        closing_balance_usd: 10,
      }),
    ]);
    const { id, month } = data[0]!;
    const { body } = await send('GET', `billing/invoices/${id}`);
    expect(body).toMatchObject({
      ...data[0],
      seller: { name: 'Ledgerline' },
      customer: { company: NORTHWIND.company, tax_id: null, workspace_name: 'test' },
      lines: [{ type: 'payment', amount_usd: 10, tax_usd: 0 }],
    });
    const statement = (await send('GET', `billing/statement?month=${month}`)).body;
    expect(statement).toMatchObject({ topups_usd: body.net_usd, closing_balance_usd: body.closing_balance_usd });
    const file = await fetch(`${stage.api.url}/platform/v1/billing/invoices/${id}/pdf`, {
      headers: { authorization: `Bearer ${manager}` },
    });
    expect([file.status, file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="TEST-000001.pdf"',
    ]);
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    for (const query of [id, 'test-000001'])
      expect((await send('GET', `search?query=${query}`)).body.data).toMatchObject([{ object: 'invoice', id }]);
    expect((await send('GET', 'billing/invoices/inv_none')).status).toBe(404);
    expect((await send('GET', 'billing/invoices/nothing')).status).toBe(422);
  });
});
