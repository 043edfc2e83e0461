import { Badge, Button, Code, Group } from '@mantine/core';
import type { ListedKeyAnswer } from '../api/types.gen.js';
import { columnsOf } from '../components/data-table.js';
import { DateTime, dayOf } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Name } from '../components/name.js';
import { PRESET_NAMES, STATUS_NAMES } from './queries.js';

export interface KeyActions {
  /** Undefined where the person may not. */
  readonly revoke?: (key: ListedKeyAnswer) => void;
  readonly replace?: (key: ListedKeyAnswer) => void;
}

const { display } = columnsOf<ListedKeyAnswer>();
const COLORS = { active: 'green', expired: 'orange', revoked: 'red', earlier_binding: 'gray' } as const;

function LastUse({ apiKey }: { readonly apiKey: ListedKeyAnswer }) {
  const { last_used_at: at, uses_recorded_since: since, created_at: createdAt } = apiKey;
  if (at !== null) return <DateTime at={at} />;
  // Whether it was used before uses were recorded, nobody knows.
  return <>{since !== null && createdAt < since ? `Not since ${dayOf(since)}` : 'Never'}</>;
}

const shown = [
  display({
    id: 'Name',
    header: 'Name',
    cell: ({ row: { original: key } }) => (
      <>
        <Name>{key.name ?? 'No name'}</Name>
        <Id value={key.id} />
      </>
    ),
  }),
  display({
    id: 'Permissions',
    header: 'Permissions',
    cell: ({ row }) => PRESET_NAMES[row.original.preset],
  }),
  display({
    id: 'Scopes',
    header: 'Scopes',
    cell: ({ row }) => (
      <Group gap={4}>
        {row.original.scopes.map((scope) => (
          <Code key={scope}>{scope}</Code>
        ))}
      </Group>
    ),
  }),
  display({ id: 'Created', header: 'Created', cell: ({ row }) => <DateTime at={row.original.created_at} /> }),
  display({ id: 'Last used', header: 'Last used', cell: ({ row }) => <LastUse apiKey={row.original} /> }),
  display({
    id: '24 hours',
    header: '24 hours',
    cell: ({ row: { original: key } }) => (
      <LinkTo to="/requests" search={{ key: key.id, by: 'minute' }} size="sm">
        {key.calls_24h.toLocaleString('en')}
      </LinkTo>
    ),
  }),
  display({
    id: '7 days',
    header: '7 days',
    cell: ({ row: { original: key } }) => (
      <LinkTo to="/requests" search={{ key: key.id }} size="sm">
        {key.calls_7d.toLocaleString('en')}
      </LinkTo>
    ),
  }),
  display({
    id: 'Expires',
    header: 'Expires',
    cell: ({ row: { original: key } }) => (key.expires_at === null ? 'Never' : <DateTime at={key.expires_at} />),
  }),
  display({
    id: 'Status',
    header: 'Status',
    cell: ({ row: { original: key } }) => (
      <Badge color={COLORS[key.status]} variant="dot" tt="none">
        {STATUS_NAMES[key.status]}
      </Badge>
    ),
  }),
];

const actionColumn = ({ revoke, replace }: KeyActions) =>
  display({
    id: 'Actions',
    header: '',
    cell: ({ row: { original: key } }) =>
      key.status === 'active' && (
        <Group gap="xs">
          {replace !== undefined && (
            <Button size="compact-sm" variant="default" onClick={() => replace(key)}>
              Replace
            </Button>
          )}
          {revoke !== undefined && (
            <Button size="compact-sm" variant="default" onClick={() => revoke(key)}>
              Revoke
            </Button>
          )}
        </Group>
      ),
  });

export const keyColumns = (actions: KeyActions) =>
  actions.revoke === undefined && actions.replace === undefined ? shown : [...shown, actionColumn(actions)];
