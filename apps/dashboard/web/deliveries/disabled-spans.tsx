import { List, Text } from '@mantine/core';
import type { DisabledSpanAnswer } from '../../src/deliveries/answers.js';
import { DateTime } from '../components/date-time.js';
import { Id } from '../components/id.js';
import { LinkTo } from '../components/link-to.js';
import { Panel } from '../components/panel.js';

/** Events of a time in which an endpoint was disabled: no delivery of them exists, so none can be replayed. */
export function DisabledSpans({ spans }: { readonly spans: readonly DisabledSpanAnswer[] }) {
  if (spans.length === 0) return null;
  return (
    <Panel title="While an endpoint was disabled">
      <Text size="sm" mb="xs">
        These events were not sent to it and cannot be replayed. They are in the event feed.
      </Text>
      <List size="sm" spacing="xs" aria-label="Spans">
        {spans.map(({ endpoint_id: endpoint, from, to, count }) => (
          <List.Item key={`${endpoint} ${from}`}>
            <LinkTo to="/events" search={{ from: `${from}`, ...(to !== null && { to: `${to}` }) }} size="sm">
              {count.toLocaleString('en')} events
            </LinkTo>
            <Id value={endpoint} />
            <Text component="span" display="block" size="sm">
              from <DateTime at={from} />
            </Text>
            <Text component="span" display="block" size="sm">
              {to === null ? (
                'until now'
              ) : (
                <>
                  to <DateTime at={to} />
                </>
              )}
            </Text>
          </List.Item>
        ))}
      </List>
    </Panel>
  );
}
