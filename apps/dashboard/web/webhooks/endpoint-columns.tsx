import { Badge, Button, Group, Text } from '@mantine/core';
import type { ListedEndpointAnswer } from '../../src/webhooks/answers.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Name } from '../components/name.js';

export type EndpointAction = 'test' | 'rotate' | 'types' | 'disable' | 'enable';

const STATUS = {
  active: ['Active', 'green'],
  disabled: ['Disabled', 'red'],
  earlier_binding: ['Earlier binding', 'gray'],
} as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

const REASONS: Readonly<Record<string, string>> = {
  operator: 'by hand',
  failing: 'it failed for five days',
};

/** `2 days`, `5 hours`: how long until then. */
const timeUntil = (at: number, now: number): string => {
  const hours = Math.max(0, Math.round((at - now) / (DAY_MS / 24)));
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
};

const SHOWN = columnsOf<ListedEndpointAnswer>({
  URL: (row) => (
    <>
      <Name>{row.url}</Name>
      <Id value={row.id} />
      <Text size="xs" c="dimmed">
        {row.types === null ? 'All event types' : row.types.join(', ')}
      </Text>
    </>
  ),
  Status: (row) => (
    <>
      <Badge color={STATUS[row.status][1]} variant="dot" tt="none">
        {STATUS[row.status][0]}
      </Badge>
      {row.disabled_reason !== null && (
        <Text size="xs" c="dimmed">
          {REASONS[row.disabled_reason] ?? row.disabled_reason}
        </Text>
      )}
    </>
  ),
  'Success rate': (row) =>
    row.success_rate === null ? (
      '–'
    ) : (
      <LinkTo to="/deliveries" search={{ endpoint: row.id }} size="sm">
        {Math.floor(row.success_rate * 1_000) / 10} %
      </LinkTo>
    ),
  Latency: (row) => (row.latency_ms === null ? '–' : `${Math.round(row.latency_ms).toLocaleString('en')} ms`),
  Pending: (row) => (
    <LinkTo to="/deliveries" search={{ endpoint: row.id, status: 'pending' }} size="sm">
      {row.pending.toLocaleString('en')}
    </LinkTo>
  ),
  'Last failure': (row) => (row.last_failure_at === null ? '–' : <DateTime at={row.last_failure_at} />),
  'Disabled in': (row) =>
    row.disables_at === null ? (
      '–'
    ) : (
      <Text size="sm" c="var(--mantine-color-error)" component="div">
        <div>{timeUntil(row.disables_at, Date.now())}</div>
        <DateTime at={row.disables_at} />
      </Text>
    ),
});

const NAMES: Readonly<Record<EndpointAction, string>> = {
  test: 'Send test',
  rotate: 'Rotate secret',
  types: 'Event types',
  disable: 'Disable',
  enable: 'Enable',
};

const possible = (status: ListedEndpointAnswer['status']): readonly EndpointAction[] => {
  if (status === 'disabled') return ['enable'];
  if (status === 'earlier_binding') return ['disable'];
  return ['test', 'rotate', 'types', 'disable'];
};

export const endpointColumns = (
  allowed: readonly EndpointAction[],
  onAction: (action: EndpointAction, endpoint: ListedEndpointAnswer) => void,
) => {
  if (allowed.length === 0) return SHOWN;
  const actions = columnsOf<ListedEndpointAnswer>({
    Actions: (row) => (
      <Group gap={4}>
        {possible(row.status)
          .filter((action) => allowed.includes(action))
          .map((action) => (
            <Button key={action} size="compact-xs" variant="default" onClick={() => onAction(action, row)}>
              {NAMES[action]}
            </Button>
          ))}
      </Group>
    ),
  });
  return [...SHOWN, ...actions];
};
