import { Text } from '@mantine/core';
import type { UsageAnswer } from '../../src/overview/answers.js';
import { money } from '../components/amounts.js';
import { Facts } from '../components/facts.js';
import { LinkTo } from '../components/link-to.js';
import { Panel } from '../components/panel.js';

interface UsagePanelProps {
  readonly usage: UsageAnswer | null;
  readonly isUnbound: boolean;
}

export function UsagePanel({ usage, isUnbound }: UsagePanelProps) {
  if (usage === null) {
    return (
      <Panel title="Usage of this month">
        <Text size="sm">{isUnbound ? 'Nothing yet' : 'The usage is not known at the moment.'}</Text>
      </Panel>
    );
  }
  const { month, estimated_total_cents: total, currency } = usage;
  return (
    <Panel title="Usage of this month">
      <Facts
        facts={{
          'Month (UTC)': month,
          'Protected creators': usage.active_creator_count,
          'Creator months': usage.creator_months,
          ...(total !== null && { 'Estimated cost': money(total, currency) }),
        }}
      />
      <LinkTo to="/usage" search={{ month }} size="sm">
        What it consists of
      </LinkTo>
    </Panel>
  );
}
