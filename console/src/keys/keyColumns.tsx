import { ActionIcon, Tooltip } from '@mantine/core';
import { UpdateIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { DEFAULT_PROJECT } from '../api/projects.ts';
import { cut } from '../parts/TableBody.tsx';
import type { Column } from '../parts/DataTable.tsx';
import { Ago, DateTime } from '../parts/figures.tsx';
import { SpendLimit } from '../parts/SpendLimit.tsx';
import { Status } from '../parts/Status.tsx';
import { sumText } from '../parts/nanos.ts';
import { KeyActions } from './KeyActions.tsx';
import { RotateKey } from './KeyDialogs.tsx';
import { daysText } from './LogDays.tsx';
import { accessText, keyState, rateText, type Key } from './keyTypes.ts';

export type KeyRow = Key & {
  level: number;
  /** Whether its maker has left the workspace. */
  isOfFormer: boolean;
};

/** The columns of the keys, with the sum of their spend below. Their projects stand where there are several: `names` by id. */
export function keyColumns(
  rows: KeyRow[] | undefined,
  mayWrite: boolean,
  names: ReadonlyMap<string, string> = new Map(),
): Column<KeyRow>[] {
  const columns: Column<KeyRow>[] = [
    { title: 'Name', cell: (key) => <Name of={key} project={names.get(key.project_id)} /> },
    { title: 'Status', visibleFrom: 'sm', cell: (key) => <State of={key} /> },
    ...(names.size > 0
      ? [
          {
            title: 'Project',
            visibleFrom: 'xl' as const,
            cell: ({ project_id: id }: KeyRow) => cut(names.get(id) ?? id, 'is-tight'),
          },
        ]
      : []),
    { title: 'Access', visibleFrom: 'lg', cell: (key) => <Access of={key} /> },
    { title: 'Spend limit', visibleFrom: 'sm', cell: (key) => <SpendLimit of={key} /> },
    { title: 'Last used', visibleFrom: 'md', cell: (key) => <Ago at={key.last_used_at} /> },
    {
      title: 'This month',
      usd: (key) => key.spend_monthly,
      sum: rows && sumText(rows.map(({ spend_monthly: usd }) => usd)),
    },
  ];
  return mayWrite ? [...columns, ACTIONS] : columns;
}

const ACTIONS: Column<KeyRow> = {
  title: 'Actions',
  isTitleHidden: true,
  isNumber: true,
  cell: (key) => (keyState(key) === 'revoked' ? null : <Actions of={key} />),
};

function Actions({ of: key }: { of: Key }) {
  const [isRotating, setRotating] = useState(false);
  return (
    <span className="key-actions">
      <Tooltip label="Rotate">
        <ActionIcon
          variant="subtle"
          color="gray"
          className="mantine-visible-from-sm"
          aria-label={`Rotate ${key.name}`}
          onClick={() => setRotating(true)}
        >
          <UpdateIcon />
        </ActionIcon>
      </Tooltip>
      <KeyActions of={key} />
      {isRotating && <RotateKey of={key} isOpen onClose={() => setRotating(false)} />}
    </span>
  );
}

/** The project has no column of its own on narrower screens: it stands below the name there, unless it is the default one. */
function Name({ of: key, project }: { of: KeyRow; project: string | undefined }) {
  return (
    <span className="key-name" style={{ paddingLeft: key.level * 20 }}>
      <span className="key-name-text" dir="auto" title={key.name}>
        {key.name}
      </span>
      <span className="id key-prefix">{key.prefix}…</span>
      {project !== undefined && key.project_id !== DEFAULT_PROJECT && (
        <span className="cell-sub mantine-hidden-from-xl">Project: {project}</span>
      )}
      {key.isOfFormer ? (
        <span className="cell-sub text-bad">Made by {key.created_by}, who is no longer a member</span>
      ) : (
        key.parent_id !== null && <span className="cell-sub">Made by {key.created_by}</span>
      )}
      {key.origin === 'device_login' && !key.isOfFormer && (
        <span className="cell-sub">Login of {key.created_by} on a device</span>
      )}
      {key.log_days > 0 && <span className="cell-sub">Keeps prompts and answers for {daysText(key.log_days)}</span>}
      {isRotating(key) && (
        <span className="cell-sub mantine-hidden-from-sm">
          Rotating: the old secret works until <DateTime at={key.previous_expires_at} />
        </span>
      )}
      {key.spend_limit !== null && (
        <span className="cell-sub mantine-hidden-from-sm">
          <SpendLimit of={key} />
        </span>
      )}
    </span>
  );
}

const isRotating = ({ previous_expires_at: at }: Key): boolean => at !== null && new Date(at) > new Date();

function State({ of: key }: { of: Key }) {
  const state = keyState(key);
  if (state !== 'live') return <Status tone="quiet" word={state === 'revoked' ? 'Revoked' : 'Expired'} />;
  if (!isRotating(key)) return <Status tone="good" word="Active" />;
  return <Status tone="busy" word="Rotating" title={`The old secret works until ${key.previous_expires_at}`} />;
}

/** What it may call, and how fast: both in full on hover. */
function Access({ of: key }: { of: Key }) {
  const [access, rates] = [accessText(key), rateText(key)];
  return (
    <span className="cell-cut key-access" title={[access, rates].filter(Boolean).join('; ')}>
      {access}
      {rates && <span className="key-rates">{rates}</span>}
    </span>
  );
}
