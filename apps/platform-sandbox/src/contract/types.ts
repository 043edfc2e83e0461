import type { Activity, Leak, NativeCreator } from './generated/types.gen.js';

/** The schemas of `contracts/native-platform.openapi.yaml`, as its types. `*_at` is epoch milliseconds. */
export type {
  Activity,
  Agency,
  Capacity,
  DeindexSubmission,
  Impersonation,
  Invitation,
  Leak,
  NativeCreator,
  PaymentMethod,
  Profile,
  ScanJob,
  Slot,
} from './generated/types.gen.js';

export type Authorization = NativeCreator['authorization'];
export type AuthorizationStatus = NonNullable<Authorization['status']>;
export type Entitlement = NativeCreator['entitlement'];
export type EntitlementSource = NonNullable<Entitlement['source']>;
export type LeakStatusCode = Leak['status_code'];
export type ActivityType = Activity['type'];

/** The contract describes it within its operation. */
export interface BillingSession {
  url: string;
  expires_at: number;
}
