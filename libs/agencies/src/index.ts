export { agenciesContext } from './agencies.context.js';
export { AgenciesOptions } from './agencies.options.js';
export { AgencyAccess, postponement } from './application/agency-access.js';
export {
  AgencyBilling,
  type BillingPage,
  NOT_OFFERED,
} from './application/agency-billing.js';
export { AgencyDirectory } from './application/agency-directory.js';
export { ApiKeyAccess } from './application/api-key-access.js';
export { BindAgency } from './application/bind-agency.js';
export { type AgencyDescription, DescribeAgency } from './application/describe-agency.js';
export { GetBinding } from './application/get-binding.js';
export { GetKey } from './application/get-key.js';
export { IssueKey } from './application/issue-key.js';
export { KeyUses } from './application/key-uses.js';
export { KnownKeys } from './application/known-keys.js';
export { type ListedKey, ListKeys } from './application/list-keys.js';
export { ListPaymentMethods } from './application/list-payment-methods.js';
export { OpenBillingPage } from './application/open-billing-page.js';
export { RevokeKey } from './application/revoke-key.js';
export {
  type AgencyEvent,
  agencyDecider,
  type Binding,
  requirePresentEpoch,
  type VerifiedAgency,
  workspaceOf,
} from './domain/agency.js';
export {
  type ApiKeyEvent,
  apiKeyDecider,
  type IssuedKey,
  KEY_LIFETIMES,
  type KeyLifetime,
  type KeyRequest,
  MAX_KEY_NAME_LENGTH,
  revokeKey,
} from './domain/api-key.js';
export { hashSecret, type KeyClaim, keyIdOf, newKeySecret } from './domain/key-secret.js';
export { KYC_STATUSES, type NativeAgency } from './domain/native-agency.js';
export type { PaymentMethod } from './domain/payment-methods.js';
export { PRESETS, type Preset, type Scope } from './domain/scopes.js';
export { publicAgency, publicBinding } from './published/public-agency.js';
export { publicPaymentMethods } from './published/public-billing.js';
export { type PublicConnection, publicConnection } from './published/public-connection.js';
export { type PublicWorkspace, type PublicWorkspaceSummary, publicWorkspace } from './published/public-workspace.js';
export { keyListProjection } from './read-models/key-list.js';
