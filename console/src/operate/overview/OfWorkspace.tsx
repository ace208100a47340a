import './overview.css';
import { Link } from '@tanstack/react-router';
import { pageAt } from '../../parts/pageAt.ts';

/** A workspace, leading to its line in the list of workspaces. */
export const OfWorkspace = ({ id, name }: { id: string; name: string }) => (
  <Link {...pageAt('/operate', { tab: 'workspaces', query: id })} className="of-workspace" title={id}>
    {name}
  </Link>
);
