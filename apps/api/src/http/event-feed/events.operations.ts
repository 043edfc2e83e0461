import { EXAMPLE } from '../transport/example-values.js';
import type { OperationOptions } from '../transport/operation.js';
import { exampleEvent } from './events.examples.js';

export const LIST_EVENTS: OperationOptions = {
  tag: 'Events',
  summary: 'What happened, in the order in which it was published.',
  description: `One feed for each workspace, in one order and without gaps. Keep the id of the last event that you processed, and pass it as \`after\`, also when
\`next_cursor\` is null. Ignore types of events that you do not know: more may follow.`,
  apiVersion: '0.2.0',
  scopes: ['events:read'],
  answers: {
    200: {
      description: 'A page of the feed.',
      schema: 'EventPage',
      example: { data: [exampleEvent('scan.completed')], next_cursor: EXAMPLE.eventId, simulated: false },
    },
  },
};
