import { Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { DataTable, type DataTableProps } from './data-table.js';
import { DateTime } from './date-time.js';
import { Loaded } from './loaded.js';

/** An answer with a part of a list. */
export interface Page<Row> {
  readonly data: readonly Row[];
  /** Missing where the server has one page only. */
  readonly next_cursor?: string | null;
  /** The time of the last item that was looked through, if the search has stopped before it was complete. */
  readonly searched_until?: number | null;
}

export interface PagedTableProps<Row extends RowData> extends Omit<DataTableProps<Row>, 'rows'> {
  readonly query: UseQueryResult<Page<Row>>;
  /** The cursor in the page's address, so that Back goes to the page before; undefined on the first page. */
  readonly after: string | undefined;
  readonly onGo: (after: string | undefined) => void;
}

/** A list that the server cuts into pages. */
export function PagedTable<Row extends RowData>({ query, after, onGo, ...table }: PagedTableProps<Row>) {
  return (
    <Loaded query={query}>
      {({ data, next_cursor: next = null, searched_until: until = null }) => (
        <>
          <DataTable {...table} rows={data} />
          {until !== null && (
            <Text size="sm" component="div">
              With these filters, only {table.label.toLowerCase()} since this time were searched; the next page goes on:
              <DateTime at={until} />
            </Text>
          )}
          {(after !== undefined || next !== null) && (
            <Group justify="center" mt="md">
              {after !== undefined && (
                <Button variant="default" onClick={() => onGo(undefined)}>
                  First page
                </Button>
              )}
              {next !== null && (
                <Button variant="default" onClick={() => onGo(next)}>
                  Next page
                </Button>
              )}
            </Group>
          )}
        </>
      )}
    </Loaded>
  );
}
