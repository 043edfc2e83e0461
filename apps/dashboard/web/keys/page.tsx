import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ListedKeyAnswer } from '../../answers/keys.js';
import { columnsOf, figure, menuColumn, UntilBound } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Notice } from '../components/error-alert.js';
import { choiceFilter } from '../components/filters.js';
import { number, words } from '../components/formats.js';
import { LinkTo, Thing } from '../components/id.js';
import { RowMenu } from '../components/menu.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { KeyStatus, LastUse, Secret, TONES, useKeyActions } from './key-actions.js';
import { keyName, keysQuery, PRESET_NAMES } from './queries.js';

interface ReplacementProps {
  readonly old: ListedKeyAnswer;
  readonly replacement: ListedKeyAnswer;
  readonly onRevoke: () => void;
  readonly onEnd: () => void;
}

/** Shown after "Replace". The old key works until a person revokes it. */
function Replacement({ old, replacement, onRevoke, onEnd }: ReplacementProps) {
  const isUsed = replacement.last_used_at !== null;
  const isDone = old.status !== 'active';
  return (
    <Notice title={isDone ? `${keyName(old)} is replaced` : `Replacing ${keyName(old)}`}>
      <Text size="sm" role="status">
        {isDone && `The old key is revoked. ${keyName(replacement)} works.`}
        {!isDone && isUsed && `The new key, ${keyName(replacement)}, is in use. The old one can be revoked now.`}
        {!isDone &&
          !isUsed &&
          `Waiting for the first use of the new key, ${keyName(replacement)}. Both keys work until the old one is revoked.`}
      </Text>
      <Group mt="sm" gap="xs">
        {!isDone && isUsed && (
          <Button size="compact-sm" onClick={onRevoke}>
            Revoke the old key
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={onEnd}>
          {isDone ? 'Close' : 'Keep both'}
        </Button>
      </Group>
    </Notice>
  );
}

const callsColumn = (field: 'calls_24h' | 'calls_7d', by: 'minute' | 'hour') => {
  const show = (key: ListedKeyAnswer) => (
    <LinkTo to="/requests" search={{ key: key.id, by }}>
      {number(key[field])}
    </LinkTo>
  );
  return { ...figure(show, 5.5), sort: field };
};

const SHOWN = columnsOf<ListedKeyAnswer>({
  Name: { line: 1, sort: 'name', show: (key) => <Thing id={key.id} name={key.name ?? 'No name'} /> },
  Secret: { width: 9, sort: 'last_four', show: (key) => <Secret apiKey={key} /> },
  Permissions: { width: 8, sort: 'preset', show: (key) => PRESET_NAMES[key.preset] },
  'Last used': { width: 7, line: 3, sort: 'last_used_at', show: (key) => <LastUse apiKey={key} /> },
  '24 hours': callsColumn('calls_24h', 'minute'),
  '7 days': callsColumn('calls_7d', 'hour'),
  Expires: {
    width: 7,
    sort: 'expires_at',
    show: (key) => (key.expires_at === null ? 'Never' : <DateTime at={key.expires_at} />),
  },
  Status: { width: 9, line: 1, sort: 'status', show: (key) => <KeyStatus apiKey={key} /> },
});

const FILTERS = { status: choiceFilter('Status', Object.keys(TONES), words) };

const route = getRouteApi('/keys');

export function KeysPage() {
  const { agency, replaced, replacement, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useQuery(keysQuery(search));
  const { mayManage, mayAct, actionsOf, create, revoke, dialog } = useKeyActions();
  const actions = menuColumn<ListedKeyAnswer>((key) => <RowMenu of={key.name ?? key.id} actions={actionsOf(key)} />);
  const find = (id: string | undefined) => keys.data?.data.find((key) => key.id === id);
  const [old, successor] = [find(replaced), find(replacement)];

  return (
    <>
      <PageTitle
        name="API keys"
        help="Your backend sends one of these keys with each request to the API. A secret is shown only when it is made: keep it where your backend reads its secrets, and never in a browser or an app."
      >
        {mayManage && <Button onClick={create}>Create key</Button>}
      </PageTitle>
      {mayManage && old !== undefined && successor !== undefined && (
        <Replacement
          old={old}
          replacement={successor}
          onRevoke={revoke(old)}
          onEnd={() => void navigate({ search: {} })}
        />
      )}
      <PagedTable
        query={keys}
        label="API keys"
        columns={mayAct ? [...SHOWN, ...actions] : SHOWN}
        filters={FILTERS}
        nothing={<UntilBound>Create a key to call the API.</UntilBound>}
      />
      {dialog}
    </>
  );
}
