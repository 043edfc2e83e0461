import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { DashboardCreatorAnswer } from '../../answers/creators.js';
import { Empty } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { Loaded } from '../components/error-alert.js';
import { number, words } from '../components/formats.js';
import { Download, Id, LinkTo, Name } from '../components/id.js';
import { OperatorsLine } from '../components/operators-line.js';
import { Facts, Figure, Figures, PageTitle, Panel } from '../components/page-title.js';
import { Status } from '../components/status.js';
import { History, RecordPanel } from './history.js';
import { LeftOut } from './left-out.js';
import { creatorQuery, TONES } from './queries.js';

const route = getRouteApi('/creators/$id');

export function CreatorPage() {
  const { id } = route.useParams();
  const { record } = route.useSearch();
  const creator = useQuery(creatorQuery(id));
  const { data } = creator;
  return (
    <>
      <PageTitle name={data?.display_name ?? 'Creator'} id={id} badges={data && <Badges creator={data} />} />
      <Loaded query={creator}>
        {(shown) => (
          <Stack>
            {record !== undefined && <RecordPanel creator={id} record={record} />}
            <Cases creator={shown} />
            <LeftOut creator={id} />
            <History creator={id} />
            <Details creator={shown} />
            <OperatorsLine words={`events history --creator ${id}`} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Badges({ creator }: { readonly creator: DashboardCreatorAnswer }) {
  const { protection_status: protection, eligible: isEligible } = creator;
  return (
    <>
      <Status tone={TONES[protection] ?? 'off'}>{`Protection: ${words(protection)}`}</Status>
      <Status tone={isEligible ? 'good' : 'wait'}>{isEligible ? 'Eligible' : 'Not eligible'}</Status>
      <Status tone="off">{words(creator.enrollment_status)}</Status>
    </>
  );
}

function Details({ creator }: { readonly creator: DashboardCreatorAnswer }) {
  const { authorization } = creator;
  return (
    <Panel title="Details">
      <Facts
        facts={{
          'External id': <Id value={creator.external_id} />,
          ...(creator.svc_user_id !== null && { 'Native user': <Id value={creator.svc_user_id} /> }),
          Aliases: <Name>{creator.aliases.join(', ') || 'None'}</Name>,
          Profiles: <Name>{creator.profile_urls.join(' ') || 'None'}</Name>,
          Authorization: authorization.approved ? 'Approved' : 'Not approved',
          ...(authorization.expires_at && {
            'Authorization ends': <DateTime at={Date.parse(authorization.expires_at)} />,
          }),
          Entitlement: creator.entitlement_active ? 'Active' : 'Not active',
          Created: <DateTime at={creator.created_at} />,
        }}
      />
    </Panel>
  );
}

function Cases({ creator }: { readonly creator: DashboardCreatorAnswer }) {
  const { id, cases } = creator;
  return (
    <Panel title={creator.has_more_cases ? 'Cases by status, of the latest 2,000' : 'Cases by status'}>
      {cases.length === 0 && <Empty>Findings of this creator are counted here.</Empty>}
      <Figures>
        {cases.map(({ status_code: status, count }) => (
          <Figure key={status} name={words(status)}>
            <LinkTo to="/creators/$id/cases" params={{ id }} search={{ status }}>
              {number(count)}
            </LinkTo>
          </Figure>
        ))}
      </Figures>
      <Group fz="sm">
        <LinkTo to="/creators/$id/cases" params={{ id }}>
          All cases
        </LinkTo>
        <Download path={`/api/creators/${id}/cases/file`}>Download all cases as CSV</Download>
      </Group>
    </Panel>
  );
}
