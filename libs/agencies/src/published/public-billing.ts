import type { PaymentMethods } from '../domain/payment-methods.js';

export const publicPaymentMethods = ({ isOffered, methods }: PaymentMethods) => ({
  offered: isOffered,
  payment_methods: methods.map(({ isDefault, ...method }) => ({ ...method, is_default: isDefault })),
});
