import { Button, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { FoundPageOf, ListOf } from '../../answers/parts.js';
import { DataTable, type DataTableProps, Empty } from './data-table.js';
import { DateTime } from './date-time.js';
import { Loaded } from './error-alert.js';
import { type Filter, FilterGrid, type Filters } from './filters.js';
import { number } from './formats.js';

/** A list that is short has one page only, and a search may have stopped before it was complete. */
type Page<Row> = ListOf<Row> & Partial<FoundPageOf<Row>>;

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

export interface PagedTableProps<Row extends RowData> extends Omit<DataTableProps<Row>, 'rows' | 'empty'> {
  readonly query: UseQueryResult<Page<Row>>;
  readonly filters?: Readonly<Record<string, Filter>>;
  readonly nothing?: ReactNode;
  readonly noMatches?: ReactNode;
  /** The parameter of the address that holds the cursor, so that Back goes to the page before. */
  readonly parameter?: 'after' | 'record_after';
}

/** A list: its filters and its place are in the page's address. */
export function PagedTable<Row extends RowData>(props: PagedTableProps<Row>) {
  const { query, filters = {}, nothing, noMatches, parameter = 'after', ...table } = props;
  const navigate = useNavigate();
  const values: Filters<string> = useSearch({ strict: false });
  const isFiltered = Object.keys(filters).some((name) => values[name] !== undefined);
  const go = (changed: Filters<string>, before: readonly PageBefore[] = []) =>
    void navigate({
      to: '.',
      search: (present: object) => ({ ...present, [parameter]: undefined, ...changed }),
      state: { before },
      resetScroll: false,
    });
  return (
    <>
      {Object.keys(filters).length > 0 && <FilterGrid filters={filters} values={values} onChange={go} />}
      <Loaded query={query} rows={8}>
        {({ data, next_cursor: next = null, searched_until: until = null }) => (
          <div aria-busy={query.isPlaceholderData}>
            <DataTable
              {...table}
              rows={data}
              empty={<Empty isFiltered={isFiltered}>{isFiltered ? noMatches : nothing}</Empty>}
            />
            {until !== null && (
              <Text size="sm" component="div">
                With these filters, only {table.label.toLowerCase()} since <DateTime at={until} /> were searched. The
                next page goes on.
              </Text>
            )}
            {(values[parameter] !== undefined || next !== null || query.isPlaceholderData) && (
              <Pager
                after={values[parameter]}
                next={next}
                count={data.length}
                onChange={(cursor, before) => go({ [parameter]: cursor }, before)}
              />
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

interface PagerProps {
  readonly after: string | undefined;
  readonly next: string | null;
  readonly count: number;
  readonly onChange: (cursor: string | undefined, before: readonly PageBefore[]) => void;
}

/** Both buttons are always there, so that the focus stays on the one that was used. */
function Pager({ after, next, count, onChange }: PagerProps) {
  const before = useRouterState({ select: ({ location }) => location.state.before ?? [] });
  const start = before.at(-1)?.end ?? 0;
  const isPlaceKnown = after === undefined || before.length > 0;
  const turns = {
    Previous: after !== undefined && (() => onChange(before.at(-1)?.cursor, before.slice(0, -1))),
    Next: next !== null && (() => onChange(next, [...before, { cursor: after, end: start + count }])),
  };
  return (
    <Group justify="flex-end" mt="sm" gap="xs">
      {isPlaceKnown && (
        <Text size="sm" c="dimmed" role="status">
          {number(start + 1)}–{number(start + count)}
        </Text>
      )}
      {Object.entries(turns).map(([name, turn]) => (
        <Button
          key={name}
          variant="default"
          size="xs"
          aria-disabled={!turn}
          {...(turn ? { onClick: turn } : { 'data-disabled': true })}
        >
          {name}
        </Button>
      ))}
    </Group>
  );
}
