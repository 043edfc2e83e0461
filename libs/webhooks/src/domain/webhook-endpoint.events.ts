import type { PublicEventType } from '#event-feed';
import {
  type AgencyId,
  type Instant,
  renamedTypes,
  type Upcaster,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import type { SendResult } from './send-result.js';

export type DisableReason = 'operator' | 'failing';

/** D104: the event types that an endpoint takes, in the order of their names; null for all, new types included. */
export type ChosenTypes = readonly PublicEventType[] | null;

/** A test with its outcome. Only the status of the answer is kept (D59). */
export interface TestResult extends SendResult {
  /** Missing if nothing was sent, and in events of builds up to 0.8. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OfEndpoint {
  readonly endpointId: WebhookEndpointId;
}

/** These events contain a secret only as `SecretCipher` encrypts it (D61). */
export type WebhookEndpointEvent =
  | {
      readonly type: 'webhookEndpoint.registered.v2';
      readonly data: OfEndpoint & {
        readonly agencyId: AgencyId;
        readonly workspaceId: WorkspaceId;
        /** The binding that it was registered under (D19). */
        readonly epoch: number;
        readonly url: string;
        readonly encryptedSecret: string;
        /** Missing in events of builds up to 0.8, whose endpoints take all types. */
        readonly types?: ChosenTypes;
      };
    }
  | {
      readonly type: 'webhookEndpoint.secretRotated.v2';
      readonly data: OfEndpoint & {
        readonly encryptedSecret: string;
        /** Until then the previous secret signs too; null if it no longer does. */
        readonly overlapUntil: Instant | null;
      };
    }
  /** D85: the same secrets, encrypted with another key: all secrets of the endpoint, newest first. */
  | {
      readonly type: 'webhookEndpoint.secretReencrypted.v2';
      readonly data: OfEndpoint & { readonly encryptedSecrets: readonly string[] };
    }
  | { readonly type: 'webhookEndpoint.typesChosen.v1'; readonly data: OfEndpoint & { readonly types: ChosenTypes } }
  | {
      readonly type: 'webhookEndpoint.disabled.v1';
      readonly data: OfEndpoint & {
        readonly reason: DisableReason;
        /** The first failure after the last success; null if an operator disabled the endpoint. */
        readonly failingSince: Instant | null;
      };
    }
  /** All deliveries that were pending when it was disabled have failed. */
  | { readonly type: 'webhookEndpoint.pendingDeliveriesFailed.v1'; readonly data: OfEndpoint }
  /** With the same id, URL and secrets (D82). */
  | { readonly type: 'webhookEndpoint.enabled.v1'; readonly data: OfEndpoint }
  /** The agency is denied or cannot be verified: deliveries wait from now on (D62). */
  | { readonly type: 'webhookEndpoint.suspended.v1'; readonly data: OfEndpoint & { readonly code: string } }
  | { readonly type: 'webhookEndpoint.resumed.v1'; readonly data: OfEndpoint }
  | { readonly type: 'webhookEndpoint.testRequested.v1'; readonly data: OfEndpoint & { readonly testId: string } }
  | {
      readonly type: 'webhookEndpoint.tested.v1';
      readonly data: OfEndpoint & { readonly testId: string } & TestResult;
    };

/** Version 1 named a secret `sealedSecret`; a seal is now only the signed statement over the log. */
const version2 = (name: string, was: string, is: string): Upcaster => ({
  from: `webhookEndpoint.${name}.v1`,
  to: `webhookEndpoint.${name}.v2`,
  upcast: ({ [was]: secret, ...data }: Readonly<Record<string, unknown>>) => ({ ...data, [is]: secret }),
});

/** Logs of builds up to 0.8 have the types on the left. */
export const webhookEndpointUpcasters: readonly Upcaster[] = [
  ...renamedTypes<WebhookEndpointEvent['type']>({
    'webhookEndpoint.heldBack.v1': 'webhookEndpoint.suspended.v1',
    'webhookEndpoint.released.v1': 'webhookEndpoint.resumed.v1',
  }),
  version2('registered', 'sealedSecret', 'encryptedSecret'),
  version2('secretRotated', 'sealedSecret', 'encryptedSecret'),
  version2('secretReencrypted', 'sealedSecrets', 'encryptedSecrets'),
];
