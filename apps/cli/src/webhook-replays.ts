import { type Command, Option } from 'commander';
import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { idFilter } from '#kernel';
import { DELIVERY_STATUSES, type DeliveryStatus, EndReplay, GetReplay, publicReplay, RequestReplay } from '#webhooks';
import { endpointOf } from './id-argument.js';
import { operatorContext } from './operator-context.js';
import type { Register } from './register.js';
import { instantOf } from './time-option.js';

interface ReplayOptions {
  readonly type?: PublicEventType;
  readonly status?: DeliveryStatus;
  readonly answer?: string;
  readonly creator?: string;
  readonly event?: string;
  readonly from?: string;
  readonly to?: string;
  readonly undelivered?: true;
}

/** What the dashboard's "Replay all matching" does, for one endpoint. */
export const replayCommands = (webhooks: Command, register: Register): void => {
  register(
    webhooks
      .command('replay-all <whe_id>')
      .description('deliver again all that matches, a few at a time; a worker does it')
      .addOption(new Option('--type <type>', 'the event type').choices(PUBLIC_EVENT_TYPES))
      .addOption(new Option('--status <status>').choices(DELIVERY_STATUSES))
      .option('--answer <answer>', 'the status of the last answer, such as 503, or the error, such as timeout')
      .option('--creator <crt_id>', 'of one creator')
      .option('--event <evt_id>', 'of one event')
      .option('--from <time>', 'of events since then, as ISO 8601 or epoch milliseconds')
      .option('--to <time>', 'of events until then; default: now')
      .option('--undelivered', 'failed ones; pending ones match too, and are left as they are'),
    (options: ReplayOptions, id) =>
      async ({ commands, runners }) => {
        const command = new RequestReplay(endpointOf(id), filterOf(options), operatorContext());
        return publicReplay(await runners.withAllReadModels(() => commands.execute(command)));
      },
  );
  register(
    webhooks.command('replay-progress <whe_id>').description('show how far the latest replay of an endpoint is'),
    (_options, id) =>
      async ({ queries }) =>
        publicReplay(await queries.execute(new GetReplay(endpointOf(id)))),
  );
  register(
    webhooks.command('replay-end <whe_id>').description('end a replay; what is pending is still sent'),
    (_options, id) =>
      async ({ commands }) =>
        publicReplay(await commands.execute(new EndReplay(endpointOf(id), operatorContext()))),
  );
};

const filterOf = ({ type, status, answer, creator, event, from, to, undelivered }: ReplayOptions) => ({
  eventType: type,
  status,
  answer,
  creatorId: idFilter('creator', 'creator', creator),
  eventId: idFilter('event', 'event', event),
  from: from === undefined ? undefined : instantOf('from', from),
  to: to === undefined ? undefined : instantOf('to', to),
  undelivered,
});
