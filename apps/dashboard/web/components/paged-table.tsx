import { Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import type { RowData } from '@tanstack/react-table';
import { DataTable, type DataTableProps } from './data-table.js';
import { DateTime } from './date-time.js';
import { Loaded } from './error-alert.js';
import { number } from './formats.js';

export interface Page<Row> {
  readonly data: readonly Row[];
  /** Missing where the server has one page only. */
  readonly next_cursor?: string | null;
  /** The time of the last item that was looked through, if the search has stopped before it was complete. */
  readonly searched_until?: number | null;
}

/** Cursors only go forward, so the history keeps those of the pages before. A link that was sent to somebody has none. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    readonly before?: readonly PageBefore[];
  }
}

interface PageBefore {
  readonly cursor: string | undefined;
  /** The number of rows up to its end. */
  readonly end: number;
}

export interface PagedTableProps<Row extends RowData> extends Omit<DataTableProps<Row>, 'rows'> {
  readonly query: UseQueryResult<Page<Row>>;
  /** The cursor in the page's address, so that Back goes to the page before; undefined on the first page. */
  readonly after: string | undefined;
  /** The parameter of the address that holds it. */
  readonly parameter?: 'after' | 'record_after';
}

export function PagedTable<Row extends RowData>({ query, after, parameter, ...table }: PagedTableProps<Row>) {
  return (
    <Loaded query={query} rows={8}>
      {({ data, next_cursor: next = null, searched_until: until = null }) => (
        <div aria-busy={query.isPlaceholderData}>
          <DataTable {...table} rows={data} />
          {until !== null && (
            <Text size="sm" component="div">
              With these filters, only {table.label.toLowerCase()} since <DateTime at={until} /> were searched. The next
              page goes on.
            </Text>
          )}
          {(after !== undefined || next !== null || query.isPlaceholderData) && (
            <Pager after={after} next={next} count={data.length} {...(parameter && { parameter })} />
          )}
        </div>
      )}
    </Loaded>
  );
}

interface PagerProps {
  readonly after: string | undefined;
  readonly next: string | null;
  readonly count: number;
  readonly parameter?: PagedTableProps<RowData>['parameter'];
}

/** Both buttons are always there, so that the focus stays on the one that was used. */
function Pager({ after, next, count, parameter = 'after' }: PagerProps) {
  const navigate = useNavigate();
  const before = useRouterState({ select: ({ location }) => location.state.before ?? [] });
  const start = before.at(-1)?.end ?? 0;
  const isPlaceKnown = after === undefined || before.length > 0;
  const go = (cursor: string | undefined, pages: readonly PageBefore[]) =>
    void navigate({
      to: '.',
      search: (present: object) => ({ ...present, [parameter]: cursor }),
      state: { before: pages },
      resetScroll: false,
    });
  return (
    <Group justify="flex-end" mt="sm" gap="xs">
      {isPlaceKnown && (
        <Text size="sm" c="dimmed" role="status">
          {number(start + 1)}–{number(start + count)}
        </Text>
      )}
      <PagerButton
        name="Previous"
        onClick={after !== undefined && (() => go(before.at(-1)?.cursor, before.slice(0, -1)))}
      />
      <PagerButton
        name="Next"
        onClick={next !== null && (() => go(next, [...before, { cursor: after, end: start + count }]))}
      />
    </Group>
  );
}

function PagerButton({ name, onClick }: { readonly name: string; readonly onClick: false | (() => void) }) {
  return (
    <Button
      variant="default"
      size="xs"
      aria-disabled={!onClick}
      {...(onClick ? { onClick } : { 'data-disabled': true })}
    >
      {name}
    </Button>
  );
}
