import { Code, Text } from '@mantine/core';
import type { RefusedRequestAnswer } from '../../src/requests/answers.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';

export const REQUEST_COLUMNS = columnsOf<RefusedRequestAnswer>({
  Time: (row) => <DateTime at={row.at} />,
  Request: (row) => <Id value={row.request_id} isRequest />,
  Route: (row) => <Code>{row.route}</Code>,
  Key: (row) => <Id value={row.key_id} />,
  Answer: (row) => `${row.status}${row.code === null ? '' : ` ${row.code}`}`,
  Rules: (row) =>
    row.problems.map(({ field, rule }) => (
      <Text key={`${field} ${rule}`} size="sm">
        <Code>{field}</Code> {rule}
      </Text>
    )),
});
