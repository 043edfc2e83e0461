import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DayAnswer, OverviewAnswer, WarningAnswer } from '../../answers/overview.js';
import { lazyPart } from '../api/part.js';
import { useMay } from '../api/session.js';
import { ChartedTable } from '../components/charted-table.js';
import { columnsOf, figure } from '../components/data-table.js';
import { DateTime } from '../components/date-time.js';
import { useDialog } from '../components/dialog.js';
import { Loaded, Notice } from '../components/error-alert.js';
import { DAY_MS, number } from '../components/formats.js';
import { LinkTo } from '../components/id.js';
import { PageTitle, Panel } from '../components/page-title.js';
import { Checklist } from './checklist.js';
import { overviewQuery } from './queries.js';
import { StatusFigures } from './status-figures.js';

const spanOf = (day: string) => ({ from: `${Date.parse(day)}`, to: `${Date.parse(day) + DAY_MS - 1}` });

const COLUMNS = columnsOf<DayAnswer>({
  'Day (UTC)': (row) => row.day,
  Events: figure((row) => (
    <LinkTo to="/events" search={spanOf(row.day)}>
      {number(row.count)}
    </LinkTo>
  )),
});

const REASONS = {
  unbound: 'Nobody has bound this agency to the API yet. Until its owner does, it has no keys and no webhooks.',
  owner_changed: 'This agency has a new owner. Its keys and webhooks do not work until the new owner binds it again.',
} as const;

const BindDialog = lazyPart(async () => (await import('./bind-dialog.js')).BindDialog);

/** Shown for an agency that is not bound, or is bound to an earlier owner. */
function Binding({ agency, binding }: Pick<OverviewAnswer, 'agency' | 'binding'>) {
  const mayBind = useMay('bind');
  const { dialog, opening } = useDialog();
  if (binding.state === 'bound') return null;
  return (
    <Notice color="orange" mb={0} title="This agency is not bound">
      <Text size="sm" mb="sm">
        {REASONS[binding.state]}
      </Text>
      {mayBind && agency !== null && (
        <Button onClick={opening(BindDialog, { agency, revokes: binding.revokes })}>Bind this agency</Button>
      )}
      {dialog}
    </Notice>
  );
}

const WARNED: Readonly<Record<WarningAnswer['kind'], ReactNode>> = {
  platform_unavailable: null,
  key_ends: <LinkTo to="/keys">API keys</LinkTo>,
  endpoint_fails: <LinkTo to="/webhooks">Webhooks</LinkTo>,
  records_left_out: <LinkTo to="/creators">Creators</LinkTo>,
};

export function OverviewPage() {
  const navigate = useNavigate();
  const overview = useQuery(overviewQuery);
  return (
    <>
      <PageTitle name="Overview" help="Your API setup and recent activity." />
      <Loaded query={overview}>
        {(answer) => (
          <Stack>
            <Binding agency={answer.agency} binding={answer.binding} />
            {answer.warnings.map(({ kind, message, at }) => (
              <Notice key={`${kind} ${message}`} color="yellow" mb={0}>
                {message} {WARNED[kind]}, <DateTime at={at} />
              </Notice>
            ))}
            <Setup answer={answer} />
            <Panel title="Events of the last 30 days, by day in UTC">
              <ChartedTable
                bars={answer.events_by_day.map(({ day, count }) => ({ day, Events: count }))}
                onBar={(day) => void navigate({ to: '/events', search: spanOf(day) })}
                label="Events by day"
                columns={COLUMNS}
                rows={answer.events_by_day}
              />
            </Panel>
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** Status comes first once everything is set up, and the setup is folded below it. */
function Setup({ answer }: { readonly answer: OverviewAnswer }) {
  const isSetUp = answer.checklist.every(({ done }) => done);
  return (
    <>
      {isSetUp && <StatusFigures answer={answer} />}
      <details open={!isSetUp}>
        <Text component="summary" mb="xs">
          Setup
        </Text>
        <Checklist steps={answer.checklist} samples={answer.samples} apiUrl={answer.api_url} />
      </details>
      {!isSetUp && <StatusFigures answer={answer} />}
    </>
  );
}
