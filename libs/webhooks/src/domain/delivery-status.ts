export const DELIVERY_STATUSES = ['pending', 'failed', 'delivered'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
