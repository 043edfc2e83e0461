import { useQuery } from '@tanstack/react-query';
import type { OverviewAnswer } from '../../answers/overview.js';
import { counted, money, number } from '../components/formats.js';
import { LinkTo } from '../components/id.js';
import { Figure, Figures, Panel } from '../components/page-title.js';
import { attentionQuery } from './queries.js';

/** The server counts some figures only so far. */
const MOST = 1_000;
const upTo = (count: number | null = null): string => {
  if (count === null) return '–';
  return count < MOST ? number(count) : `${number(MOST)}+`;
};

function Capacity({ capacity }: Pick<OverviewAnswer, 'capacity'>) {
  if (capacity === null) return <Figure name="Capacity">–</Figure>;
  const { total_slots: total, occupied_slots: occupied, reserved_slots: reserved, overflow_slots: over } = capacity;
  const free = `${number(capacity.available_slots)} free`;
  const note = over > 0 ? `${counted(over, 'slot')} more than the plan has` : free;
  return (
    <Figure name="Capacity" note={reserved > 0 ? `${note}, ${number(reserved)} reserved` : note}>
      {number(occupied)} of {counted(total, 'slot')}
    </Figure>
  );
}

function Cost({ usage }: Pick<OverviewAnswer, 'usage'>) {
  if (usage === null) return <Figure name="Cost of this month so far">–</Figure>;
  const { month, estimated_total_cents: total, projected_total_cents: atEnd, currency } = usage;
  return (
    <Figure
      name="Cost of this month so far"
      note={atEnd !== null && `${money(atEnd, currency)} at its end if nothing changes`}
    >
      <LinkTo to="/usage" search={{ month }}>
        {total === null ? counted(usage.active_creator_count, 'creator') : money(total, currency)}
      </LinkTo>
    </Figure>
  );
}

export function StatusFigures({ answer }: { readonly answer: OverviewAnswer }) {
  const { data: attention } = useQuery(attentionQuery);
  const { events_by_day: days, capacity, usage, undelivered } = answer;
  const events = days.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel title="Status">
      <Figures>
        <Figure name="Undelivered events">
          <LinkTo to="/deliveries" search={{ tab: 'undelivered' }}>
            {upTo(undelivered)}
          </LinkTo>
        </Figure>
        <Figure name="Failing endpoints">
          <LinkTo to="/webhooks">{upTo(attention?.failing_endpoints)}</LinkTo>
        </Figure>
        <Figure name="Refused requests of 24 hours">
          <LinkTo to="/requests">{upTo(attention?.refused_requests)}</LinkTo>
        </Figure>
        <Capacity capacity={capacity} />
        <Cost usage={usage} />
        <Figure name="Events of 30 days">
          <LinkTo to="/events" search={{ from: `${Date.parse(days[0]?.day ?? '')}` }}>
            {counted(events, 'event')}
          </LinkTo>
        </Figure>
      </Figures>
    </Panel>
  );
}
