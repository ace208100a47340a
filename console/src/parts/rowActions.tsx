import './table.css';
import { Pencil1Icon, TrashIcon } from '@radix-ui/react-icons';
import { IconAction } from './IconAction.tsx';
import type { Column } from './table.ts';

/** The column of a list whose rows are changed and deleted. `what`: what a row is, as `alert`; `nameOf` tells two rows apart. */
export const changeColumn = <Row,>(
  what: string,
  nameOf: (row: Row) => string,
  change: (row: Row) => void,
  remove: (row: Row) => void,
): Column<Row> => ({
  title: 'Actions',
  isTitleHidden: true,
  cell: (row) => (
    <span className="row-actions">
      <IconAction tip={`Change ${what}`} name={`Change ${what}: ${nameOf(row)}`} onClick={() => change(row)}>
        <Pencil1Icon />
      </IconAction>
      <IconAction tip={`Delete ${what}`} name={`Delete ${what}: ${nameOf(row)}`} onClick={() => remove(row)}>
        <TrashIcon />
      </IconAction>
    </span>
  ),
});
