import { agencyDecider, apiKeyDecider } from '#agencies';
import { caseDecider, impersonationDecider, impersonationReportDecider } from '#cases';
import { creatorDecider, invitationResendDecider, rosterDecider } from '#creators';
import { deindexRequestDecider } from '#deindexing';
import type { Decider, DomainEvent } from '#kernel';
import { scanAllowanceDecider, scanDecider } from '#scans';
import { usageMeterDecider } from '#usage';
import { webhookDeliveryDecider, webhookEndpointDecider } from '#webhooks';

/** Any decider: a stream's category says which events it folds. */
export type AnyDecider = Decider<unknown, DomainEvent>;

/** How the streams of each category add up to a state; streams without a decider (the feed) have none. */
export const DECIDERS: ReadonlyMap<string, AnyDecider> = new Map(
  (
    [
      agencyDecider,
      apiKeyDecider,
      caseDecider,
      creatorDecider,
      deindexRequestDecider,
      impersonationDecider,
      impersonationReportDecider,
      invitationResendDecider,
      rosterDecider,
      scanAllowanceDecider,
      scanDecider,
      usageMeterDecider,
      webhookDeliveryDecider,
      webhookEndpointDecider,
    ] as unknown as readonly AnyDecider[]
  ).map((decider) => [decider.category, decider]),
);
