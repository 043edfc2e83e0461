import { Anchor, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { DashboardCreatorAnswer } from '../../src/creators/answers.js';
import { addressOf } from '../api/client.js';
import { Copy } from '../components/copy.js';
import { DateTime } from '../components/date-time.js';
import { Empty } from '../components/empty.js';
import { Facts } from '../components/facts.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Loaded } from '../components/loaded.js';
import { Name } from '../components/name.js';
import { OperatorsLine } from '../components/operators-line.js';
import { PageTitle } from '../components/page-title.js';
import { Panel } from '../components/panel.js';
import { History } from './history.js';
import { LeftOut } from './left-out.js';
import { creatorQuery } from './queries.js';
import { RecordPanel } from './record-panel.js';

export const creatorPage = createLazyRoute('/creators/$id')({ component: CreatorPage });
const route = getRouteApi('/creators/$id');

function CreatorPage() {
  const { id } = route.useParams();
  const { record } = route.useSearch();
  const creator = useQuery(creatorQuery(id));
  return (
    <>
      <PageTitle name={id} help="The platform is asked whether the creator still is yours before anything is shown.">
        <Copy value={id} />
      </PageTitle>
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
          Name: <Name>{creator.display_name}</Name>,
          'External id': <Id value={creator.external_id} />,
          ...(creator.svc_user_id !== null && { 'Native user': <Id value={creator.svc_user_id} /> }),
          Aliases: <Name>{creator.aliases.join(', ') || 'None'}</Name>,
          Profiles: <Name>{creator.profile_urls.join(' ') || 'None'}</Name>,
          Enrollment: creator.enrollment_status.replaceAll('_', ' '),
          Protection: creator.protection_status.replaceAll('_', ' '),
          Mandate: authorization.approved ? 'Approved' : 'Not approved',
          ...(authorization.expires_at && {
            'Mandate ends': <DateTime at={Date.parse(authorization.expires_at)} />,
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
