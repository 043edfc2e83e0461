import { Table } from '@mantine/core';
import { type ColumnDef, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

/** The server sorts, filters and pages: a table here only shows rows. */
const features = tableFeatures({});
type Features = typeof features;

export type Columns<Row extends RowData> = readonly ColumnDef<Features, Row, unknown>[];

/** What each column shows of a row, by the column's name. The buttons of `Actions` say themselves what they do. */
export type Cells<Row extends RowData> = Readonly<Record<string, (row: Row) => ReactNode>>;

export const columnsOf = <Row extends RowData>(cells: Cells<Row>): Columns<Row> =>
  Object.entries(cells).map(([name, show]) => ({
    id: name,
    header: name === 'Actions' ? '' : name,
    cell: ({ row }) => show(row.original),
  }));

export interface DataTableProps<Row extends RowData> {
  /** The table's name for assistive technology. */
  readonly label: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** In place of a table without rows. */
  readonly empty?: ReactNode;
}

/** The roles are written out, because a browser drops those of a table that is laid out as blocks on a narrow screen. */
export function DataTable<Row extends RowData>({ label, columns, rows, idOf, empty }: DataTableProps<Row>) {
  const table = useTable({ features, columns, data: rows, getRowId: idOf });
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <Table role="table" aria-label={label} className={classes.table} verticalSpacing="xs" horizontalSpacing={6} fz="sm">
      <Table.Thead role="rowgroup" className={classes.head}>
        {table.getHeaderGroups().map((group) => (
          <Table.Tr key={group.id} role="row">
            {group.headers.map((header) =>
              header.column.columnDef.header === '' ? (
                <Table.Td key={header.id} role="cell" />
              ) : (
                <Table.Th key={header.id} role="columnheader" scope="col">
                  <table.FlexRender header={header} />
                </Table.Th>
              ),
            )}
          </Table.Tr>
        ))}
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {table.getRowModel().rows.map((row) => (
          <Table.Tr key={row.id} role="row" className={classes.row}>
            {row.getAllCells().map((cell) => (
              <Table.Td key={cell.id} role="cell" className={classes.cell} data-column={cell.column.id}>
                <div>
                  <table.FlexRender cell={cell} />
                </div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
