import {
  ENROLLMENT_STATUSES,
  type FullPublicCreator,
  PROTECTION_STATUSES,
  type PublicCreator,
  type publicCapacity,
} from '#creators';
import {
  count,
  described,
  flag,
  idOf,
  instant,
  isoTime,
  type JsonSchema,
  knownOf,
  listOf,
  live,
  type Members,
  objectOf,
  oneOf,
  orNull,
  pageOf,
  ref,
  text,
} from '#http';

const creatorMembers: Members<PublicCreator> = {
  id: idOf('creator'),
  workspace_id: idOf('workspace'),
  external_id: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: "The agency's own id for the creator; `svc:<uuid>` until the agency has set one.",
  },
  display_name: text,
  aliases: described(listOf(text), 'Pseudonyms, other spellings and usernames.'),
  profile_urls: described(listOf({ type: 'string', format: 'uri' }), 'Official profiles on supported platforms.'),
  protection_status: described(
    oneOf(...PROTECTION_STATUSES),
    'Whether scans are scheduled and time is metered. Enrollment and eligibility do not change it to `active`.',
  ),
  created_at: instant,
  enrollment_status: knownOf(ENROLLMENT_STATUSES, 'The progress of the enrollment.'),
  svc_user_id: described(
    orNull({ type: 'string', format: 'uuid' }),
    'The linked platform user; null until onboarding is complete.',
  ),
  invitation_id: orNull(text),
  simulated: live,
  scan_schedule_managed_by: oneOf('api'),
  svc_subscription_managed_by: oneOf('svc'),
  identity_sync_pending: described(
    flag,
    'Whether the invitee still has to complete legal onboarding before names and profiles are written to the platform.',
  ),
};

const emailSent = described(
  flag,
  'Whether the email provider accepted the invitation. Only in the answers to an enrollment (201) and to a resend.',
);

const authorization = objectOf(
  {
    approved: flag,
    status: knownOf(['approved', 'pending', 'rejected', 'expired', 'missing'], 'The state of the authorization.'),
    expires_at: described(orNull(isoTime), 'ISO 8601; null for an authorization that does not expire.'),
  },
  ['status', 'expires_at'],
);

const entitlement = objectOf(
  {
    active: flag,
    source: knownOf(['agency_plan', 'creator_subscription', 'none'], 'Where the entitlement comes from.'),
  },
  ['source'],
);

const fullCreatorMembers: Members<FullPublicCreator> = {
  ...creatorMembers,
  authorization: described(authorization, "The creator's authorization."),
  entitlement: described(entitlement, 'What pays for the protection.'),
  eligible: described(
    flag,
    'Whether protection may be activated now: a current member, onboarded, with an approved authorization and an active entitlement.',
  ),
};

export const CREATOR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Creator: objectOf({ ...creatorMembers, email_sent: emailSent }, ['email_sent']),
  FullCreator: described(
    objectOf(fullCreatorMembers),
    'A creator with its current authorization, entitlement and eligibility on the platform.',
  ),
  CreatorPage: pageOf(ref('FullCreator')),
  Capacity: objectOf<ReturnType<typeof publicCapacity>>({
    plan: text,
    subscription_status: text,
    protection_eligible: flag,
    total_slots: count,
    occupied_slots: count,
    reserved_slots: described(count, 'Slots of pending invitations.'),
    available_slots: count,
    overflow_slots: described(count, 'Slots in use beyond the total.'),
    api_included: flag,
    checked_at: isoTime,
    simulated: live,
  }),
};
