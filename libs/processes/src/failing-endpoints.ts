import type { CommandContext, CommandRunner, Instant, WebhookEndpointId } from '#kernel';
import {
  DISABLED_AFTER_FAILING,
  disableFailing,
  hasFailedForLong,
  type WebhookBacklog,
  type WebhookDelivery,
  webhookEndpointDecider,
} from '#webhooks';

/** Disables the endpoints to which nothing has come through for five days. */
export class FailingEndpoints {
  /** When this process, which alone sends to an endpoint while it has it, last heard of a success: before any record. */
  private readonly successes = new Map<WebhookEndpointId, Instant>();

  constructor(
    private readonly runner: CommandRunner,
    private readonly backlog: Pick<WebhookBacklog, 'failingSince'>,
    /** Whether the backlog shows, soon, all that the log holds now. */
    private readonly caughtUp: () => Promise<boolean>,
  ) {}

  /** To be told of each success as soon as it is answered. */
  succeeded(endpointId: WebhookEndpointId): void {
    this.successes.set(endpointId, this.runner.now());
  }

  /** To be told of a delivery whose attempt has just been recorded as failed. */
  async failed(delivery: WebhookDelivery, context: CommandContext): Promise<void> {
    if (!hasFailedForLong(delivery, this.runner.now())) return;
    const { endpointId } = delivery;
    if (!(await this.seemsDead(endpointId))) return;
    // What was looked at may lag behind a success.
    if (!(await this.caughtUp())) return;
    const since = await this.backlog.failingSince(endpointId);
    if (since === null || since <= (this.successes.get(endpointId) ?? Number.NEGATIVE_INFINITY)) return;
    await this.runner.run(webhookEndpointDecider, endpointId, context, (state, now) =>
      disableFailing(state, since, now),
    );
  }

  private async seemsDead(endpointId: WebhookEndpointId): Promise<boolean> {
    const since: Instant | null = await this.backlog.failingSince(endpointId);
    return since !== null && this.runner.now() - since >= DISABLED_AFTER_FAILING;
  }
}
