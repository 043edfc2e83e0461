import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId } from '#kernel';
import { AgencyBilling, type PaymentMethod } from './agency-billing.js';

/** The agency's payment methods as the platform has them now; undefined if it does not offer them. */
export class ListPaymentMethods extends Query<readonly PaymentMethod[] | undefined> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(ListPaymentMethods)
export class ListPaymentMethodsHandler implements IQueryHandler<ListPaymentMethods> {
  constructor(private readonly billing: AgencyBilling) {}

  execute({ agencyId }: ListPaymentMethods): Promise<readonly PaymentMethod[] | undefined> {
    return this.billing.listPaymentMethods(agencyId);
  }
}
