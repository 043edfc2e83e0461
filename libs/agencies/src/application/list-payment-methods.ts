import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId } from '#kernel';
import type { PaymentMethods } from '../domain/payment-methods.js';
import { AgencyBilling } from './agency-billing.js';

/** The agency's payment methods as the platform has them now. */
export class ListPaymentMethods extends Query<PaymentMethods> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(ListPaymentMethods)
export class ListPaymentMethodsHandler implements IQueryHandler<ListPaymentMethods> {
  constructor(private readonly billing: AgencyBilling) {}

  async execute({ agencyId }: ListPaymentMethods): Promise<PaymentMethods> {
    const methods = await this.billing.listPaymentMethods(agencyId);
    return { isOffered: methods !== undefined, methods: methods ?? [] };
  }
}
