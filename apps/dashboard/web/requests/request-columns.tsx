import { Code, Text } from '@mantine/core';
import type { RefusedRequestAnswer } from '../api/types.gen.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';

const { display } = columnsOf<RefusedRequestAnswer>();

export const REQUEST_COLUMNS = [
  display({ id: 'Time', header: 'Time', cell: ({ row }) => <DateTime at={row.original.at} /> }),
  display({ id: 'Request', header: 'Request', cell: ({ row }) => <Id value={row.original.request_id} isRequest /> }),
  display({ id: 'Route', header: 'Route', cell: ({ row }) => <Code>{row.original.route}</Code> }),
  display({ id: 'Key', header: 'Key', cell: ({ row }) => <Id value={row.original.key_id} /> }),
  display({
    id: 'Answer',
    header: 'Answer',
    cell: ({ row }) => `${row.original.status}${row.original.code === null ? '' : ` ${row.original.code}`}`,
  }),
  display({
    id: 'Rules',
    header: 'Rules',
    cell: ({ row }) =>
      row.original.problems.map(({ field, rule }) => (
        <Text key={`${field} ${rule}`} size="sm">
          <Code>{field}</Code> {rule}
        </Text>
      )),
  }),
];
