import { Button, Table, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type Cell, type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, useState } from 'react';
import { useIsBound } from '../api/session.js';
import classes from './data-table.module.css';
import type { Filters } from './filters.js';
import { number } from './formats.js';
import { LinkTo } from './id.js';

/** Nothing can be made before the agency is bound. */
export function UntilBound({ children }: { readonly children: ReactNode }) {
  return useIsBound() ? children : <LinkTo to="/">Bind this agency first.</LinkTo>;
}

interface EmptyProps {
  /** Filters may hide items. The page then has "Clear filters". */
  readonly isFiltered?: boolean;
  readonly children?: ReactNode;
}

export function Empty({ isFiltered = false, children }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <Text fw={600}>{isFiltered ? 'No matches' : 'Nothing yet'}</Text>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </div>
  );
}

interface Layout {
  /** In `rem`. Columns without one share what is left. */
  readonly width?: number;
  /** Right-aligned, with digits of the same width. */
  readonly isFigure?: boolean;
  /** The line of the card that a row becomes on a narrow screen. On the third, cells have labels. */
  readonly line?: 1 | 2 | 3;
  /** The label, if the column's name is too long. */
  readonly label?: string;
  /** The field by which the server sorts. It is in the page's address. */
  readonly sort?: string;
  /** Texts of several lines, for a table that is not a list. */
  readonly wraps?: boolean;
}

/** The server sorts, filters and pages: a table here only shows rows. */
const features = tableFeatures({ columnMeta: {} as Layout });
type Features = typeof features;

export type Columns<Row extends RowData> = readonly ColumnDef<Features, Row, unknown>[];

type Show<Row> = (row: Row) => ReactNode;

/** The content of each column, by the column's name. `Actions` has no header: its menu describes itself. */
export type Cells<Row extends RowData> = Readonly<Record<string, Show<Row> | (Layout & { readonly show: Show<Row> })>>;

export const columnsOf = <Row extends RowData>(cells: Cells<Row>): Columns<Row> =>
  Object.entries(cells).map(([name, cell]) => {
    const { show, ...layout } = typeof cell === 'function' ? { show: cell } : cell;
    return { id: name, header: name === 'Actions' ? '' : name, meta: layout, cell: ({ row }) => show(row.original) };
  });

export const menuColumn = <Row extends RowData>(show: Show<Row>) => columnsOf<Row>({ Actions: { width: 3, show } });

/** A column of numbers, with a width in `rem`. */
export const figure = <Row extends RowData>(
  show: Show<Row>,
  width?: number,
): Layout & { readonly show: Show<Row> } => ({ line: 3, isFigure: true, ...(width !== undefined && { width }), show });

export interface DataTableProps<Row extends RowData> {
  readonly label: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  /** For rows without `id`, if their order changes. */
  readonly idOf?: (row: Row) => string;
  readonly empty?: ReactNode;
  /** How many rows are shown until a person asks for all: thousands would make the page slow. */
  readonly most?: number;
  /** The last row of a table that adds up, by the columns' names. */
  readonly total?: Readonly<Record<string, ReactNode>>;
}

/** It is called. A component that is a new function in each render would lose its state and the focus. */
const shownIn = <Row extends RowData>(cell: Cell<Features, Row, unknown>): ReactNode => {
  const { cell: show } = cell.column.columnDef;
  return typeof show === 'function' ? show(cell.getContext()) : show;
};

const attributesOf = (name = '', { isFigure, line = 2, wraps, label = name }: Layout = {}) => ({
  'data-column': label,
  'data-figure': isFigure,
  'data-line': line,
  'data-wraps': wraps,
});

/** Sorts by its column: figures downwards, others upwards, and the other way when it is used again. */
function Header({ name, layout = {} }: { readonly name: string; readonly layout: Layout | undefined }) {
  const { sort: present = '' }: Filters<'sort'> = useSearch({ strict: false });
  const { sort = '', isFigure } = layout;
  const directions = { [sort]: 'ascending', [`-${sort}`]: 'descending' } as const;
  const [first, second] = isFigure ? [`-${sort}`, sort] : [sort, `-${sort}`];
  const search = (before: object) => ({ ...before, sort: present === first ? second : first, after: undefined });
  return (
    <Table.Th
      role="columnheader"
      scope="col"
      aria-sort={sort === '' ? undefined : directions[present]}
      {...attributesOf(name, layout)}
    >
      {sort === '' ? (
        name
      ) : (
        <LinkTo to="." search={search} resetScroll={false} c="inherit">
          {name}
        </LinkTo>
      )}
    </Table.Th>
  );
}

/**
 * The one list: a line for each row, and a card of three lines on a narrow screen. The roles are written out, because a
 * browser drops those of a table that is laid out as blocks.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, idOf, empty, most = rows.length, total } = props;
  const [isWhole, setIsWhole] = useState(false);
  const getRowId = idOf ?? ((row: Row & { readonly id?: string }, index: number) => row.id ?? `${index}`);
  const table = useTable({ features, columns, data: isWhole ? rows : rows.slice(0, most), getRowId });
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <>
      <Table role="table" aria-label={label} className={classes.table} layout="fixed" highlightOnHover>
        <colgroup>
          {columns.map(({ id, meta }) => (
            <col key={id} style={meta?.width === undefined ? {} : { width: `${meta.width}rem` }} />
          ))}
        </colgroup>
        <Table.Thead role="rowgroup" className={classes.head}>
          <Table.Tr role="row">
            {columns.map(({ id = '', header, meta }) =>
              header === '' ? <Table.Td key={id} role="cell" /> : <Header key={id} name={id} layout={meta} />,
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {table.getRowModel().rows.map((row) => (
            <Table.Tr key={row.id} role="row" className={classes.row}>
              {row.getAllCells().map((cell) => (
                <Table.Td
                  key={cell.id}
                  role="cell"
                  className={classes.cell}
                  {...attributesOf(cell.column.id, cell.column.columnDef.meta)}
                >
                  {shownIn(cell)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {total !== undefined && (
          <Table.Tfoot role="rowgroup">
            <Table.Tr role="row" className={classes.row}>
              {columns.map(({ id = '', meta }) => (
                <Table.Td key={id} role="cell" className={classes.cell} {...attributesOf(id, meta)}>
                  {total[id]}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
      {!isWhole && rows.length > most && (
        <Button variant="default" mt="xs" onClick={() => setIsWhole(true)}>
          Show all {number(rows.length)}
        </Button>
      )}
    </>
  );
}
