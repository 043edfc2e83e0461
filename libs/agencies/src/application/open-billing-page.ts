import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyId, DomainError } from '#kernel';
import { AgencyBilling, type BillingPage, NOT_OFFERED } from './agency-billing.js';

/** Opens a page of the platform that leads back to `returnUrl`; `not_found` if the platform has none. Nothing is recorded. */
export class OpenBillingPage extends Command<BillingPage> {
  constructor(
    readonly agencyId: AgencyId,
    readonly returnUrl: string,
  ) {
    super();
  }
}

@CommandHandler(OpenBillingPage)
export class OpenBillingPageHandler implements ICommandHandler<OpenBillingPage> {
  constructor(private readonly billing: AgencyBilling) {}

  async execute({ agencyId, returnUrl }: OpenBillingPage): Promise<BillingPage> {
    const effect = await this.billing.createBillingSession(agencyId, { reference: randomUUID(), returnUrl });
    if (effect.outcome === 'done') return effect.value;
    // A page that was made and not answered expires unused.
    if (effect.outcome === 'unknown') throw effect.error;
    if (effect.code === NOT_OFFERED) throw new DomainError('not_found');
    throw new DomainError('provider_invalid_response', { cause: new Error(`the page was refused: ${effect.code}`) });
  }
}
