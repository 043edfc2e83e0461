import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { DashboardCreatorAnswer } from '../../answers/creators.js';
import { Empty } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Loaded } from '../components/error-alert.js';
import { number, words } from '../components/formats.js';
import { Id, LinkTo, Name } from '../components/id.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Facts, PageTitle, Panel } from '../components/page-title.js';
import { CasesFile } from './cases-file.js';
import { History, RecordPanel } from './history.js';
import { LeftOut } from './left-out.js';
import { creatorQuery } from './queries.js';

const route = getRouteApi('/creators/$id');

export function CreatorPage() {
  const { id } = route.useParams();
  const { record } = route.useSearch();
  const creator = useQuery(creatorQuery(id));
  return (
    <>
      <PageTitle name={creator.data?.display_name ?? 'Creator'} id={id} />
      <Loaded query={creator}>
        {(shown) => (
          <Stack>
            {record !== undefined && <RecordPanel creator={id} record={record} />}
            <Details creator={shown} />
            <Cases creator={shown} />
            <LeftOut creator={id} />
            <History creator={id} />
            <OperatorsLine words={`events history --creator ${id}`} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Details({ creator }: { readonly creator: DashboardCreatorAnswer }) {
  const { authorization } = creator;
  return (
    <Panel title="Creator">
      <Facts
        facts={{
          'External id': <Id value={creator.external_id} />,
          ...(creator.svc_user_id !== null && { 'Native user': <Id value={creator.svc_user_id} /> }),
          Aliases: <Name>{creator.aliases.join(', ') || 'None'}</Name>,
          Profiles: <Name>{creator.profile_urls.join(' ') || 'None'}</Name>,
          Enrollment: words(creator.enrollment_status),
          Protection: words(creator.protection_status),
          Authorization: authorization.approved ? 'Approved' : 'Not approved',
          ...(authorization.expires_at && {
            'Authorization ends': <DateTime at={Date.parse(authorization.expires_at)} />,
          }),
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
  const linked = (text: string, status?: string) => (
    <LinkTo to="/creators/$id/cases" params={{ id: creator.id }} search={{ status }}>
      {text}
    </LinkTo>
  );
  const counts = creator.cases.map(({ status_code: status, count }) => [words(status), linked(number(count), status)]);
  return (
    <Panel title={creator.has_more_cases ? 'Cases by status, of the latest 2,000' : 'Cases by status'}>
      {counts.length === 0 ? (
        <Empty>Findings of this creator are counted here.</Empty>
      ) : (
        <Facts facts={Object.fromEntries(counts)} />
      )}
      <Group>
        {linked('All cases')}
        <CasesFile creator={creator.id} />
      </Group>
    </Panel>
  );
}
