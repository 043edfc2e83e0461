import type { AgencyBilling, AgencyDirectory } from '#agencies';
import type { ActivityPlatform, LeakPlatform } from '#cases';
import type { CreatorPlatform, IdentityChange, InvitationRequest } from '#creators';
import type { ImpersonationPlatform } from '#impersonations';
import { NO_ROUTE } from './classify-response.js';
import { PagedReader } from './paged-reader.js';
import type { Provider } from './provider.js';
import { parseAgency, parseBillingPage, parseCapacity, parsePaymentMethods, parseSlotPage } from './records/agency.js';
import { parseCreator, parseRosterPage } from './records/creator.js';
import { parseFoundInvitation, parseInvitation, parseInvitationOf } from './records/effect.js';
import {
  parseActivityPage,
  parseImpersonationPage,
  parseLeakPage,
  parseReportedImpersonation,
} from './records/finding.js';

export type PlatformClient = AgencyDirectory &
  AgencyBilling &
  CreatorPlatform &
  LeakPlatform &
  ImpersonationPlatform &
  ActivityPlatform;

/** Everything that each creator on a page ever had is then read from the log, and most of it is in the answer. */
const ROSTER_WEIGHT = 2;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table, one entry for each operation
export const platformClient = (provider: Provider, lists: PagedReader): PlatformClient => ({
  getAgency: (agencyId) =>
    provider.find({ operation: 'getAgency', path: ['agencies', agencyId], parse: parseAgency(agencyId) }),

  getCapacity: (agencyId) =>
    provider.read({ operation: 'getCapacity', path: ['agencies', agencyId, 'capacity'], parse: parseCapacity }),

  listPaymentMethods: async (agencyId) => {
    const page = await provider.find({
      operation: 'listPaymentMethods',
      path: ['agencies', agencyId, 'payment-methods'],
      parse: parsePaymentMethods,
      lacking: NO_ROUTE,
    });
    provider.reportRefused('payment_method', page?.refused);
    return page?.records;
  },

  createBillingSession: (agencyId, { reference, returnUrl }) =>
    provider.change({
      operation: 'createBillingSession',
      method: 'POST',
      path: ['agencies', agencyId, 'billing-sessions'],
      idempotencyKey: reference,
      body: { reference, return_url: returnUrl },
      done: [201],
      lacking: NO_ROUTE,
      parse: parseBillingPage,
    }),

  listRoster: (agencyId, page) =>
    lists.read('creator', agencyId, page.limit, (limit, maxBytes) =>
      provider.read({
        operation: 'listRoster',
        path: ['agencies', agencyId, 'creators'],
        query: { limit, after: page.after },
        parse: parseRosterPage({ ...page, limit }),
        maxBytes,
        weight: ROSTER_WEIGHT,
      }),
    ),

  getCreator: (agencyId, userId) =>
    provider.find({
      operation: 'getNativeCreator',
      path: ['agencies', agencyId, 'creators', userId],
      parse: parseCreator(userId),
    }),

  updateIdentity: (agencyId, userId, change) =>
    provider.change({
      operation: 'updateIdentity',
      method: 'PATCH',
      path: ['agencies', agencyId, 'creators', userId],
      body: identityBody(change),
      done: [200],
      parse: parseCreator(userId),
    }),

  invite: (agencyId, request) =>
    provider.change({
      operation: 'invite',
      method: 'POST',
      path: ['agencies', agencyId, 'invitations'],
      idempotencyKey: request.reference,
      body: invitationBody(request),
      done: [201],
      parse: parseInvitationOf(request.reference),
    }),

  // A 404 does not mean "none", because after a "none" the caller may send again.
  findInvitation: (agencyId, reference) =>
    provider.read({
      operation: 'findInvitation',
      path: ['agencies', agencyId, 'invitations'],
      query: { reference },
      parse: parseFoundInvitation(reference),
    }),

  getInvitation: (agencyId, invitationId) =>
    provider.find({
      operation: 'getInvitation',
      path: ['agencies', agencyId, 'invitations', invitationId],
      parse: parseInvitation(invitationId),
    }),

  withdrawInvitation: (agencyId, invitationId) =>
    provider.change({
      operation: 'withdrawInvitation',
      method: 'DELETE',
      path: ['agencies', agencyId, 'invitations', invitationId],
      done: [200],
      parse: parseInvitation(invitationId),
    }),

  resendInvitation: (agencyId, invitationId, resendId) =>
    provider.change({
      operation: 'resendInvitation',
      method: 'POST',
      path: ['agencies', agencyId, 'invitations', invitationId, 'resend'],
      idempotencyKey: resendId,
      done: [200],
      parse: parseInvitation(invitationId),
    }),

  listSlots: (agencyId, page) =>
    provider.find({
      operation: 'listSlots',
      path: ['agencies', agencyId, 'slots'],
      query: { limit: page.limit, after: page.after },
      parse: parseSlotPage(page),
      lacking: [404],
    }),

  occupySlot: (agencyId, userId, fence) =>
    provider.send({
      operation: 'occupySlot',
      method: 'PUT',
      path: ['agencies', agencyId, 'slots', userId],
      fence,
      done: [200, 204],
    }),

  releaseSlot: (agencyId, userId, fence) =>
    provider.send({
      operation: 'releaseSlot',
      method: 'DELETE',
      path: ['agencies', agencyId, 'slots', userId],
      fence,
      done: [200, 204],
    }),

  listLeaks: (agencyId, userId, page) =>
    lists.read('leak', `${agencyId} ${userId}`, page.limit, (limit, maxBytes) =>
      provider.find({
        operation: 'listLeaks',
        path: ['agencies', agencyId, 'creators', userId, 'leaks'],
        query: { limit, after: page.after, updated_since: page.updatedSince },
        parse: parseLeakPage({ ...page, limit }),
        maxBytes,
      }),
    ),

  listImpersonations: (agencyId, userId, page) =>
    lists.read('impersonation', `${agencyId} ${userId}`, page.limit, (limit, maxBytes) =>
      provider.find({
        operation: 'listImpersonations',
        path: ['agencies', agencyId, 'creators', userId, 'impersonations'],
        query: { limit, after: page.after },
        parse: parseImpersonationPage({ ...page, limit }),
        maxBytes,
      }),
    ),

  reportImpersonation: (agencyId, userId, { reference, url }) =>
    provider.change({
      operation: 'reportImpersonation',
      method: 'POST',
      path: ['agencies', agencyId, 'creators', userId, 'impersonations'],
      idempotencyKey: reference,
      body: { reference, url },
      done: [201],
      parse: parseReportedImpersonation(url),
    }),

  listActivity: (agencyId, userId, page) =>
    lists.read('activity', `${agencyId} ${userId}`, page.limit, (limit, maxBytes) =>
      provider.find({
        operation: 'listActivity',
        path: ['agencies', agencyId, 'creators', userId, 'activity'],
        query: { limit, cursor: page.cursor },
        parse: parseActivityPage({ ...page, limit }),
        maxBytes,
      }),
    ),
});

const identityBody = ({ displayName, aliases, profiles }: IdentityChange) => ({
  display_name: displayName,
  aliases,
  profiles: profiles?.map(({ platform, username, profileId }) => ({
    platform,
    username,
    profile_id: profileId ?? undefined,
  })),
});

const invitationBody = ({ reference, email, firstName, lastName, locale, displayName }: InvitationRequest) => ({
  reference,
  email,
  first_name: firstName,
  last_name: lastName,
  locale,
  display_name: displayName,
});
