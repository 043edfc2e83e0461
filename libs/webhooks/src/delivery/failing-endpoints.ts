import { Injectable } from '@nestjs/common';
import { ClockWatch } from '#jobs';
import { type Duration, type Instant, Logger, Progress, processContext, type WebhookEndpointId } from '#kernel';
import { READ_MODELS } from '#projections';
import { WebhookEndpointRepository } from '../application/webhook-endpoint.repository.js';
import { DISABLED_AFTER_FAILING, disableFailing } from '../domain/webhook-endpoint.js';
import { EndpointList } from '../read-models/endpoint-list.js';
import type { FailedAttempt } from './webhook-targets.js';

/** Disables the endpoints that have had no success for five days (D82). A part of the scheduling loop, which judges by it. */
@Injectable()
export class FailingEndpoints {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly list: EndpointList,
    private readonly progress: Progress,
    private readonly clocks: ClockWatch,
    private readonly logger: Logger,
  ) {}

  /** By its latest failed attempt. False if the list does not show it within `timeout`, where that matters. */
  async judge(endpointId: WebhookEndpointId, attempt: FailedAttempt, timeout: Duration): Promise<boolean> {
    const { position, at, cause } = attempt;
    // One of the two times may be false (D93). A later attempt is judged by a clock without a fault.
    if (this.clocks.faults.length > 0) return true;
    const isTooLong = (since: Instant) => at - since >= DISABLED_AFTER_FAILING;
    const shown = await this.list.failingSince(endpointId);
    // What the list does not show yet can only be a success, after which the failures began later.
    if (shown !== null && !isTooLong(shown)) return true;
    if (!(await this.progress.passed([READ_MODELS], position, shown === null ? 0 : timeout))) return false;
    const since = await this.list.failingSince(endpointId);
    if (since === null || !isTooLong(since)) return true;
    const loaded = await this.endpoints.load(endpointId);
    const { state } = loaded;
    if (state.status === 'unknown') return true;
    const context = processContext('webhooks', state.workspaceId, cause);
    const { events } = await this.endpoints.update(loaded, context, (endpoint) => disableFailing(endpoint, since, at));
    if (events.length > 0) {
      const fields = { endpointId, agencyId: state.agencyId, failingSince: new Date(since).toISOString() };
      this.logger.warn(fields, 'webhook endpoint disabled: every attempt has failed for five days');
    }
    return true;
  }
}
