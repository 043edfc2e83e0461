export { agenciesContext } from './agencies.context.js';
export { AgenciesOptions, AgencyAccess, AgencyDirectory, postponement } from './application/agency-access.js';
export {
  AgencyBilling,
  type BillingPage,
  ListPaymentMethods,
  NOT_OFFERED,
  OpenBillingPage,
} from './application/agency-billing.js';
export { type AgencyDescription, BindAgency, DescribeAgency, GetBinding } from './application/bind-agency.js';
export { IssueKey } from './application/issue-key.js';
export { KeyUses } from './application/key-uses.js';
export { KnownKeys } from './application/known-keys.js';
export { ApiKeyAccess, GetKey, type ListedKey, ListKeys } from './application/list-keys.js';
export { RevokeKey } from './application/revoke-key.js';
export {
  type AgencyEvent,
  agencyDecider,
  type Binding,
  KYC_STATUSES,
  type NativeAgency,
  type PaymentMethod,
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
  PRESETS,
  type Preset,
  revokeKey,
  type Scope,
} from './domain/api-key.js';
export { hashSecret, type KeyClaim, keyIdOf, newKeySecret } from './domain/key-secret.js';
export { publicAgency, publicBinding, publicPaymentMethods } from './published/public-agency.js';
export {
  type PublicConnection,
  type PublicWorkspace,
  type PublicWorkspaceSummary,
  publicConnection,
  publicWorkspace,
} from './published/public-connection.js';
export { keyListProjection } from './read-models/key-list.js';
