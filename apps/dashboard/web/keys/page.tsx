import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ListedKeyAnswer } from '../../answers/keys.js';
import { lazyPart } from '../api/part.js';
import { useMay } from '../api/session.js';
import { columnsOf, figure, UntilBound } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { useDialog } from '../components/dialog.js';
import { Notice } from '../components/error-alert.js';
import { onlyFilter } from '../components/filters.js';
import { counted, DAY_MS, dayOf, number } from '../components/formats.js';
import { LinkTo, Thing } from '../components/id.js';
import { RowMenu } from '../components/menu.js';
import { useNow } from '../components/now.js';
import { PageTitle } from '../components/page-title.js';
import { PagedTable } from '../components/paged-table.js';
import { Status } from '../components/status.js';
import { keyName, keysQuery, PRESET_NAMES, STATUS_NAMES } from './queries.js';

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

function LastUse({ apiKey }: { readonly apiKey: ListedKeyAnswer }) {
  const { last_used_at: at, uses_recorded_since: since, created_at: createdAt } = apiKey;
  if (at !== null) return <DateTime at={at} />;
  // It may have been used before uses were recorded.
  return <>{since !== null && createdAt < since ? `Not since ${dayOf(since)}` : 'Never'}</>;
}

function KeyStatus({ apiKey: { status, expires_at: end } }: { readonly apiKey: ListedKeyAnswer }) {
  const now = useNow();
  if (status === 'active' && end !== null && end - now < ENDS_SOON) {
    return <Status tone="wait">{`Expires in ${counted(Math.ceil((end - now) / DAY_MS), 'day')}`}</Status>;
  }
  return <Status tone={TONES[status]}>{STATUS_NAMES[status]}</Status>;
}

const ENDS_SOON = 14 * DAY_MS;
const TONES = { active: 'good', expired: 'wait', revoked: 'off', earlier_binding: 'off' } as const;

const SHOWN = columnsOf<ListedKeyAnswer>({
  Name: { line: 1, show: (key) => <Thing id={key.id} name={key.name ?? 'No name'} /> },
  Secret: {
    width: 9,
    show: (key) => <code>{key.last_four === null ? 'svc_live_…' : `svc_live_…${key.last_four}`}</code>,
  },
  Permissions: { width: 8, show: (key) => PRESET_NAMES[key.preset] },
  'Last used': { width: 7, line: 3, show: (key) => <LastUse apiKey={key} /> },
  '24 hours': figure(
    (key) => (
      <LinkTo to="/requests" search={{ key: key.id, by: 'minute' }}>
        {number(key.calls_24h)}
      </LinkTo>
    ),
    5,
  ),
  '7 days': figure(
    (key) => (
      <LinkTo to="/requests" search={{ key: key.id }}>
        {number(key.calls_7d)}
      </LinkTo>
    ),
    5,
  ),
  Expires: { width: 7, show: (key) => (key.expires_at === null ? 'Never' : <DateTime at={key.expires_at} />) },
  Status: { width: 9, line: 1, show: (key) => <KeyStatus apiKey={key} /> },
});

const route = getRouteApi('/keys');

const FILTERS = { key: onlyFilter };

const CreateKeyDialog = lazyPart(async () => (await import('./key-dialog.js')).CreateKeyDialog);
const ReplaceKeyDialog = lazyPart(async () => (await import('./key-dialog.js')).ReplaceKeyDialog);
const RevokeKeyDialog = lazyPart(async () => (await import('./key-dialog.js')).RevokeKeyDialog);

export function KeysPage() {
  const mayManage = useMay('manage_keys');
  const mayRevoke = useMay('revoke_keys');
  const { after, key: only, replaced, replacement } = route.useSearch();
  const navigate = route.useNavigate();
  const keys = useQuery(keysQuery({ after, key: only }));
  const { dialog, open, close } = useDialog();
  const replace = (key: ListedKeyAnswer) => open(<ReplaceKeyDialog apiKey={key} onClose={close} />);
  const revoke = (key: ListedKeyAnswer) => open(<RevokeKeyDialog apiKey={key} onClose={close} />);
  const actions = columnsOf<ListedKeyAnswer>({
    Actions: {
      width: 3,
      show: (key) => {
        const offered = {
          ...(mayManage && { Replace: () => replace(key) }),
          ...(mayRevoke && { Revoke: () => revoke(key) }),
        };
        return key.status === 'active' && <RowMenu of={key.name ?? key.id} actions={offered} />;
      },
    },
  });
  const find = (id: string | undefined) => keys.data?.data.find((key) => key.id === id);
  const [old, successor] = [find(replaced), find(replacement)];

  return (
    <>
      <PageTitle
        name="API keys"
        help="Your backend sends one of these keys with each request to the API. A secret is shown only when it is made: keep it where your backend reads its secrets, and never in a browser or an app."
      >
        {mayManage && <Button onClick={() => open(<CreateKeyDialog onClose={close} />)}>Create key</Button>}
      </PageTitle>
      {mayManage && old !== undefined && successor !== undefined && (
        <Replacement
          old={old}
          replacement={successor}
          onRevoke={() => revoke(old)}
          onEnd={() => void navigate({ search: {} })}
        />
      )}
      <PagedTable
        query={keys}
        label="API keys"
        columns={mayRevoke ? [...SHOWN, ...actions] : SHOWN}
        filters={FILTERS}
        nothing={<UntilBound>Create a key to call the API.</UntilBound>}
      />
      {dialog}
    </>
  );
}
