import { afterAll, describe, expect, test } from '@jest/globals';
import { insertAgent, updateDraft, findVersion, readVersions } from '../../../db/publishing/publisherAgents.ts';
import { moveDeployment, rollBack } from '../../../db/publishing/moveDeployment.ts';
import { findPublisherAgent, listPublisherAgents } from '../../../db/publishing/publisherAgents.ts';
import { verifyNamespace } from '../../../db/agents/namespaces.ts';
import { resolveAgent } from '../../../db/agents/publicAgents.ts';
import { NAMESPACES_MAX } from '../../../base/limits.ts';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';
import { draft, publisher, setPublishingStage } from './publishingStage.ts';

const stage = await setPublishingStage();
const db = stage.db;
afterAll(() => stage.close());

const makeAgent: typeof stage.makeAgent = (...made) => stage.makeAgent(...made);
const move: typeof stage.move = (...order) => stage.move(...order);

describe('a draft', () => {
  test('belongs to its workspace, as its namespace does', async () => {
    const { agentId, namespace } = await makeAgent();
    const { workspaceId } = await makeAccount(db);
    expect(await findPublisherAgent(db.read(workspaceId), agentId)).toBeUndefined();
    const taken = await insertAgent(db.write(workspaceId), { namespace, slug: 'other', draft: {} });
    expect(taken).toEqual({ outcome: 'namespace_taken' });
    const patched = await updateDraft(db.write(workspaceId), { agentId, revision: 1, draft: { name: 'Mine' } });
    expect(patched).toEqual({ outcome: 'not_found' });
  });

  test('has one of five namespaces of its workspace, also at once, unless an operator has verified one', async () => {
    const { workspaceId } = await makeAccount(db);
    const prefix = newId('n').slice(2).toLowerCase();
    const create = (name: string) =>
      insertAgent(db.write(workspaceId), { namespace: `${prefix}-${name}`, slug: 'poet', draft: {} });
    const made = await Promise.all(Array.from({ length: 25 }, (_, at) => create(`${at}`)));
    expect(made.filter(({ outcome }) => outcome === 'created')).toHaveLength(NAMESPACES_MAX);
    expect(made.filter(({ outcome }) => outcome === 'too_many_namespaces')).toHaveLength(25 - NAMESPACES_MAX);
    const own = made.findIndex(({ outcome }) => outcome === 'created');
    const again = { namespace: `${prefix}-${own}`, slug: 'bard', draft: {} };
    expect((await insertAgent(db.write(workspaceId), again)).outcome).toBe('created');
    await verifyNamespace(db.everywhere, { name: again.namespace, verified: true, by: publisher });
    expect([(await create('one')).outcome, (await create('two')).outcome]).toEqual(['created', 'too_many_namespaces']);
  });

  test('changes only with its latest revision', async () => {
    const { agentId, workspaceId, read } = await makeAgent();
    const change = { agentId, revision: 1, draft: { name: 'Bard' } };
    const outcomes = await Promise.all([
      updateDraft(db.write(workspaceId), change),
      updateDraft(db.write(workspaceId), change),
    ]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['changed', 'stale']);
    expect(await read()).toMatchObject({ draftRevision: 2, draft: { name: 'Bard', instructions: 'Write a verse.' } });
  });

  test('is refused with all its issues when it is incomplete', async () => {
    const { submit } = await makeAgent({ name: '', categories: [], pricing: { ...draft.pricing, rates: [] } });
    const result = await submit();
    expect(result).toMatchObject({ outcome: 'incomplete' });
    const paths = result.outcome === 'incomplete' ? result.findings.map(({ path }) => path) : [];
    expect(paths.toSorted()).toEqual(['/categories', '/name', '/pricing/rates']);
  });

  test('may refer only to what exists, and its minimum may not exceed its maximum', async () => {
    const { submit } = await makeAgent({
      tools: ['write_file', 'telepathy', 'write_file'],
      plugins: [{ plugin_id: 'plugin_x', version: '1' }],
      icon_file_id: 'file_x',
      pricing: { ...draft.pricing, minimum_cost_usd: 2 },
    });
    const result = await submit();
    const codes = result.outcome === 'incomplete' ? result.findings.map(({ code, path }) => `${code} ${path}`) : [];
    expect(codes).toEqual([
      'unknown_tool /tools/1',
      'duplicate /tools/2',
      'unknown_plugin /plugins/0',
      'unknown_icon /icon_file_id',
      'invalid /pricing/minimum_cost_usd',
    ]);
  });
});

describe('a submission', () => {
  test('freezes the draft into an immutable version', async () => {
    const { agentId, workspaceId, submitted } = await makeAgent();
    await submitted();
    const page = await readVersions(db.read(workspaceId), { agentId, before: null, limit: 10 });
    expect(page!.versions).toMatchObject([{ number: 1, sourceRevision: 1, configuration: draft }]);
    const { id } = page!.versions[0]!;
    await expect(db.pool.query(`update agent_versions set number = 7 where id = $1`, [id])).rejects.toThrow();
    await expect(db.pool.query(`delete from agent_versions where id = $1`, [id])).rejects.toThrow();
    expect((await findVersion(db.read(workspaceId), id))!.label).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test('is one at a time: of fifty concurrent ones one becomes a version', async () => {
    const { agentId, workspaceId, submit } = await makeAgent();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => submit({ revision: 1 })));
    expect(outcomes.filter(({ outcome }) => outcome === 'submitted')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'in_review')).toHaveLength(49);
    const page = await readVersions(db.read(workspaceId), { agentId, before: null, limit: 10 });
    expect(page!.versions).toHaveLength(1);
  });

  test('repeated with its own id is the same one', async () => {
    const { submit } = await makeAgent();
    const deploymentId = newId('dep');
    const first = await submit({ deploymentId });
    expect(await submit({ deploymentId })).toEqual(first);
  });

  test('of a draft that has changed since is refused with the current revision', async () => {
    const { agentId, workspaceId, submit } = await makeAgent();
    await updateDraft(db.write(workspaceId), { agentId, revision: 1, draft: { name: 'Bard' } });
    expect(await submit({ revision: 1 })).toEqual({ outcome: 'stale', revision: 2 });
  });

  test('leaves the public version unchanged until it is approved', async () => {
    const { name, submitted, read, workspaceId } = await makeAgent();
    const first = await submitted();
    await move(first, 'approve');
    const second = await submitted();
    expect(await read()).toMatchObject({ publicDeployment: { id: first }, publicSubmission: { id: second } });
    const wanted = { agent: name, version: null, visibility: 'public', workspaceId } as const;
    const before = await resolveAgent(db.everywhere, wanted);
    await move(second, 'approve');
    const after = await resolveAgent(db.everywhere, wanted);
    expect([before!.version, after!.version]).toEqual([after!.version.slice(0, 10), `${before!.version}.2`]);
    expect(await read()).toMatchObject({ publicDeployment: { id: second }, publicSubmission: null });
  });
});

describe('a deployment', () => {
  test('that is approved and withdrawn concurrently ends as one of the two', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { submitted, read } = await makeAgent();
      const id = await submitted();
      const outcomes = await Promise.all([move(id, 'approve'), move(id, 'withdraw')]);
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['moved', 'wrong_state']);
      const isLive = outcomes[0].outcome === 'moved';
      expect((await read()).publicDeployment?.id).toBe(isLive ? id : undefined);
    }
  });

  test('moved again by the same request counts as moved, once', async () => {
    const { submitted } = await makeAgent();
    const id = await submitted();
    const by = { operatorKeyId: 'key_o', requestId: newId('req') };
    const approve = (requestId: string) =>
      moveDeployment(db.everywhere, { deploymentId: id, move: 'approve', feedback: [], by: { ...by, requestId } });
    const outcomes = [await approve(by.requestId), await approve(by.requestId), await approve(newId('req'))];
    const moved = { outcome: 'moved', status: 'active' };
    expect(outcomes).toEqual([moved, moved, { outcome: 'wrong_state', status: 'active' }]);
    const { rowCount } = await db.pool.query('select from audit_entries where subject_id = $1', [id]);
    expect(rowCount).toBe(1);
  });

  test('allows only the defined transitions', async () => {
    const { submitted } = await makeAgent();
    const id = await submitted();
    expect(await move(id, 'suspend')).toEqual({ outcome: 'wrong_state', status: 'in_review' });
    expect(await move(id, 'approve')).toEqual({ outcome: 'moved', status: 'active' });
    expect(await move(id, 'reject')).toEqual({ outcome: 'wrong_state', status: 'active' });
    expect(await move(id, 'suspend')).toEqual({ outcome: 'moved', status: 'suspended' });
    expect(await move(id, 'reinstate')).toEqual({ outcome: 'moved', status: 'active' });
    expect(await move('dep_unknown', 'approve')).toEqual({ outcome: 'not_found' });
  });

  test('rolls back only to a version that was public', async () => {
    const { name, submitted, workspaceId, agentId, read } = await makeAgent();
    const wanted = { agent: name, version: null, visibility: 'public', workspaceId } as const;
    await move(await submitted(), 'approve');
    const first = (await resolveAgent(db.everywhere, wanted))!.versionId;
    await move(await submitted(), 'approve');
    const rejected = await submitted();
    const rejectedVersion = (await read()).publicSubmission!.versionId;
    await move(rejected, 'reject');
    const order = { agentId, deploymentId: newId('dep'), by: publisher };
    expect(await rollBack(db.write(workspaceId), { ...order, versionId: rejectedVersion })).toEqual({
      outcome: 'not_approved',
    });
    expect(await rollBack(db.write(workspaceId), { ...order, versionId: first })).toMatchObject({
      outcome: 'deployed',
    });
    expect((await resolveAgent(db.everywhere, wanted))!.versionId).toBe(first);
  });

  test('records the rollback once, with its operator', async () => {
    const { name, submitted, workspaceId, agentId } = await makeAgent();
    await move(await submitted(), 'approve');
    const wanted = { agent: name, version: null, visibility: 'public', workspaceId } as const;
    const { versionId } = (await resolveAgent(db.everywhere, wanted))!;
    await move(await submitted(), 'approve');
    const order = { agentId, versionId, deploymentId: newId('dep'), by: publisher };
    await rollBack(db.write(workspaceId), order);
    await rollBack(db.write(workspaceId), order);
    const events = await db.pool.query(
      `select type, workspace_id, data from platform_events where resource_type = 'agent.deployment' and resource_id = $1`,
      [order.deploymentId],
    );
    expect(events.rows).toEqual([
      {
        type: 'deployment.rolled_back',
        workspace_id: workspaceId,
        data: {
          deployment_id: order.deploymentId,
          status: 'active',
          agent_id: agentId,
          agent: name,
          version_id: versionId,
          version: expect.stringMatching(/^\d{4}-\d\d-\d\d(\.\d+)?$/),
          version_number: 1,
          reason: null,
          links: {
            deployment: `/v1/publisher/deployments/${order.deploymentId}`,
            agent: `/v1/publisher/agents/${agentId}`,
            version: `/v1/publisher/agent-versions/${versionId}`,
          },
        },
      },
    ]);
    const audit = await db.pool.query(
      `select action, workspace_id, key_id, request_id, detail from audit_entries where subject_id = $1`,
      [order.deploymentId],
    );
    expect(audit.rows).toEqual([
      { action: 'roll_back', workspace_id: workspaceId, key_id: 'key_p', request_id: 'req_p', detail: { versionId } },
    ]);
  });

  test('for the own workspace is live at once, only for that workspace', async () => {
    const { name, submit, workspaceId } = await makeAgent();
    await submit({ visibility: 'private' });
    const wanted = { agent: name, version: null, visibility: 'private' } as const;
    expect(await resolveAgent(db.everywhere, { ...wanted, workspaceId })).toMatchObject({ agent: name });
    expect(await resolveAgent(db.everywhere, { ...wanted, workspaceId: 'ws_other' })).toBeUndefined();
    expect(await resolveAgent(db.everywhere, { ...wanted, workspaceId, visibility: 'public' })).toBeUndefined();
  });
});

test('the list of agents is newest first and complete over its pages', async () => {
  const { workspaceId, namespace } = await makeAgent();
  for (let number = 1; number <= 4; number += 1)
    await insertAgent(db.write(workspaceId), { namespace, slug: `poet-${number}`, draft });
  const slugs: string[] = [];
  let after: string | null = null;
  for (;;) {
    const { agents, hasMore } = await listPublisherAgents(db.read(workspaceId), { after, limit: 2 });
    slugs.push(...agents.map(({ slug }) => slug));
    after = agents.at(-1)!.id;
    if (!hasMore) break;
  }
  expect(slugs).toEqual(['poet-4', 'poet-3', 'poet-2', 'poet-1', 'poet']);
});
