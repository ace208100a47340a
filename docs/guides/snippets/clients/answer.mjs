import { Ledgerline } from 'ledgerline';

const client = new Ledgerline();
const { output } = await client.agents.run('acme/planner', 'Plan a trip.', {
  onAction(action) {
    if (action.type === 'form') return { type: 'form', data: { city: 'Rome', nights: 2 } };
    if (action.type === 'tool_approval') return { type: 'tool_approval', decision: 'approve' };
    return 'Rome';
  },
});
console.log(output);
