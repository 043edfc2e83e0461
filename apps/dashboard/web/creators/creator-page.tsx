import { Anchor, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { addressOf } from '../api/client.js';
import type { DashboardCreatorAnswer } from '../api/types.gen.js';
import { Copy } from '../components/copy.js';
import { columnsOf, DataTable } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { Facts } from '../components/facts.js';
import { Actor, Id, isOfKey } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Loaded } from '../components/loaded.js';
import { Name } from '../components/name.js';
import { NextPage } from '../components/next-page.js';
import { PageTitle } from '../components/page-title.js';
import { Panel } from '../components/panel.js';
import { LeftOut } from './left-out.js';
import { creatorQuery, type HistoryRow, historyQuery, PARTS, partOf, recordQuery } from './queries.js';

export const creatorPage = createLazyRoute('/creators/$id')({ component: CreatorPage });
const route = getRouteApi('/creators/$id');

const { display } = columnsOf<HistoryRow>();
const COLUMNS = [
  display({ id: 'Time', header: 'Time', cell: ({ row }) => <DateTime at={row.original.at} /> }),
  display({ id: 'What', header: 'What', cell: ({ row }) => row.original.what }),
  display({
    id: 'Details',
    header: 'Details',
    cell: ({ row: { original } }) => (
      <>
        {original.details}
        {original.actor !== undefined && <Actor value={original.actor} />}
        {original.requestId !== undefined && (
          <div>
            Request <Id value={original.requestId} isRequest={isOfKey(original.actor)} />
          </div>
        )}
      </>
    ),
  }),
  display({ id: 'Id', header: 'Id', cell: ({ row }) => <Id value={row.original.id} /> }),
];

function CreatorPage() {
  const { id } = route.useParams();
  const { record } = route.useSearch();
  const creator = useQuery(creatorQuery(id));
  return (
    <>
      <PageTitle name={id} help="The platform is asked whether the creator still is yours before anything is shown.">
        <Copy value={id} what={id} />
      </PageTitle>
      <Loaded query={creator}>
        {(shown) => (
          <Stack>
            {record !== undefined && <FoundRecord id={id} record={record} />}
            <Details creator={shown} />
            <Cases creator={shown} />
            <LeftOut creator={id} />
            <History id={id} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** To which the search has led. */
function FoundRecord({ id, record }: { readonly id: string; readonly record: string }) {
  const { record_after: after } = route.useSearch();
  const navigate = route.useNavigate();
  const events = useQuery(recordQuery(id, record, after));
  return (
    <Panel title={record}>
      <Loaded query={events}>
        {({ rows, next }) => (
          <>
            <DataTable label="Found" columns={COLUMNS} rows={rows} idOf={(row) => row.id} />
            <NextPage
              after={after}
              next={next}
              onGo={(cursor) => void navigate({ search: (present) => ({ ...present, record_after: cursor }) })}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Details({ creator }: { readonly creator: DashboardCreatorAnswer }) {
  const { authorization } = creator;
  return (
    <Panel title="Creator">
      <Facts
        facts={{
          Name: <Name>{creator.display_name}</Name>,
          'External id': <Id value={creator.external_id} />,
          ...(creator.svc_user_id !== null && { 'Native user': <Id value={creator.svc_user_id} /> }),
          Aliases: <Name>{creator.aliases.join(', ') || 'None'}</Name>,
          Profiles: <Name>{creator.profile_urls.join(' ') || 'None'}</Name>,
          Enrollment: creator.enrollment_status.replaceAll('_', ' '),
          Protection: creator.protection_status.replaceAll('_', ' '),
          Mandate: `${authorization.approved ? 'Approved' : 'Not approved'}${authorization.expires_at ? `, until ${authorization.expires_at}` : ''}`,
          Entitlement: creator.entitlement_active ? 'Active' : 'Not active',
          Eligible: creator.eligible ? 'Yes' : 'No',
          Created: <DateTime at={creator.created_at} />,
        }}
      />
      <LinkTo to="/deliveries" search={{ creator: creator.id }}>
        Deliveries about this creator
      </LinkTo>
    </Panel>
  );
}

function Cases({ creator }: { readonly creator: DashboardCreatorAnswer }) {
  const counts = creator.cases.map(({ status_code: status, count }) => [status.replaceAll('_', ' '), count] as const);
  return (
    <Panel title={creator.has_more_cases ? 'Cases by status, of the first 2,000' : 'Cases by status'}>
      {counts.length === 0 ? (
        <Empty>Findings of this creator are counted here.</Empty>
      ) : (
        <Facts facts={Object.fromEntries(counts)} />
      )}
      <Anchor href={addressOf(`/api/creators/${creator.id}/cases/file`)} download size="sm">
        Download all cases as CSV
      </Anchor>
    </Panel>
  );
}

function History({ id }: { readonly id: string }) {
  const { part: asked, after } = route.useSearch();
  const navigate = route.useNavigate();
  const part = partOf(asked);
  const history = useQuery(historyQuery(id, part, after));
  return (
    <Panel title="What has happened">
      <Tabs value={part} onChange={(value) => void navigate({ search: { part: value ?? undefined } })}>
        <Tabs.List>
          {Object.entries(PARTS).map(([value, name]) => (
            <Tabs.Tab key={value} value={value}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={part} pt="md">
          <Loaded query={history}>
            {({ rows, next }) => (
              <>
                {rows.length === 0 ? (
                  <Empty />
                ) : (
                  <DataTable label={PARTS[part]} columns={COLUMNS} rows={rows} idOf={(row) => row.id} />
                )}
                <NextPage
                  after={after}
                  next={next}
                  onGo={(cursor) => void navigate({ search: { part, after: cursor } })}
                />
              </>
            )}
          </Loaded>
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
