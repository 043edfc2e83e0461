import type { Command } from 'commander';
import { EndReplay, GetReplay, publicReplay, RequestReplay } from '#webhooks';
import { endpointOf } from './arguments.js';
import { type DeliveryFilterOptions, deliveryFilterOf, withDeliveryFilters } from './delivery-filter-options.js';
import { operatorContext } from './operator-context.js';
import type { Register } from './register.js';

/** What the dashboard's "Replay all matching" does, for one endpoint. */
export const replayCommands = (webhooks: Command, register: Register): void => {
  register(
    withDeliveryFilters(
      webhooks
        .command('replay-all <whe_id>')
        .description('deliver again all that matches, a few at a time; a worker does it'),
    ),
    async ({ commands, runners }, options: DeliveryFilterOptions, id) => {
      const command = new RequestReplay(endpointOf(id), deliveryFilterOf(options), operatorContext());
      return publicReplay(await runners.withAllReadModels(() => commands.execute(command)));
    },
  );
  register(
    webhooks.command('replay-progress <whe_id>').description('show how far the latest replay of an endpoint is'),
    async ({ queries }, _options, id) => publicReplay(await queries.execute(new GetReplay(endpointOf(id)))),
  );
  register(
    webhooks.command('replay-end <whe_id>').description('end a replay; what is pending is still sent'),
    async ({ commands }, _options, id) =>
      publicReplay(await commands.execute(new EndReplay(endpointOf(id), operatorContext()))),
  );
};
