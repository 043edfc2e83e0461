export { type AgencyScope, CreatorAccess } from './application/access/creator-access.js';
export {
  CreatorPlatform,
  type InvitationRequest,
  type RosterPage,
  type SlotPage,
} from './application/access/creator-platform.js';
export { CreatorVisibilities } from './application/access/creator-visibilities.js';
export { type FoundCreator, isFound, type LoadedCreator } from './application/access/loaded-creator.js';
export { Memberships } from './application/access/memberships.js';
export { InvitationMails } from './application/enrollment/invitation-mails.js';
export { InviteCreator } from './application/enrollment/invite-creator.js';
export { LinkCreator } from './application/enrollment/link-creator.js';
export { ResendInvitation } from './application/enrollment/resend-invitation.js';
export { UpdateCreator } from './application/identity/update-creator.js';
export { CreatorErasure } from './application/membership/creator-erasure.js';
export { FindCreator } from './application/membership/find-creator.js';
export { type LeftOutKind, LeftOutRecords } from './application/membership/left-out-records.js';
export { ListCreators } from './application/membership/list-creators.js';
export { ListLeftOut } from './application/membership/list-left-out.js';
export {
  CASE_WALK,
  type LinkedCreator,
  MemberRecords,
  type Synchronized,
} from './application/membership/member-records.js';
export { ObserveCreator } from './application/membership/observe-creator.js';
export { ObserveRoster } from './application/membership/observe-roster.js';
export { RemoveCreator } from './application/membership/remove-creator.js';
export { ActivateProtection } from './application/protection/activate-protection.js';
export { GetCapacity } from './application/protection/get-capacity.js';
export { PauseProtection } from './application/protection/pause-protection.js';
export { wasPausedAfter } from './application/protection/paused-after.js';
export { ReleaseUnknownSlots } from './application/protection/release-unknown-slots.js';
export { creatorsContext } from './creators.context.js';
export { CreatorsOptions } from './creators.options.js';
export type { CreatorEvent } from './domain/creator.events.js';
export { creatorDecider } from './domain/creator.js';
export {
  type Authorization,
  type CreatorState,
  type EnrolledCreator,
  type Entitlement,
  hasLeft,
  type Identity,
  isEligible,
  isErased,
  isWithUser,
  requireWritable,
  type Standing,
} from './domain/creator.state.js';
export { enrollByLink, importCreator } from './domain/enrollment/enrollment.js';
export type { Invite, LinkEnrollment } from './domain/enrollment/enrollment-requests.js';
export type { RosterEvent } from './domain/enrollment/roster.events.js';
export { rosterDecider } from './domain/enrollment/roster.js';
export { eraseFromRosterAgain } from './domain/enrollment/roster-erasure.js';
export { admitMembers, automaticExternalId } from './domain/enrollment/roster-members.js';
export { type IdentityChange, MAX_ALIASES, MAX_PROFILES, searchedIdentity } from './domain/identity/identity.js';
export { eraseCreatorWithoutKey, recordKeyDestroyed } from './domain/membership/erasure.js';
export { ErasureHashes } from './domain/membership/erasure-hashes.js';
export type { CreatorVisibility } from './domain/membership/visibility.js';
export {
  aliasProblem,
  distinctAliases,
  externalIdProblem,
  MAX_ALIAS_LENGTH,
  MAX_ALIASES_PER_REQUEST,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_EMAIL_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_PERSON_NAME_LENGTH,
  MAX_PROFILE_URLS_PER_REQUEST,
  MAX_WORKSPACE_ID_LENGTH,
} from './domain/names.js';
export type { NativeCreator } from './domain/native-creator.js';
export type { NativeInvitation } from './domain/native-invitation.js';
export {
  distinctProfiles,
  MAX_PROFILE_URL_LENGTH,
  PROFILE_HOSTS,
  PROFILE_URL_PATTERN,
  type Profile,
  parseProfileUrl,
  profileInShape,
  profileUrl,
  usernameProblem,
} from './domain/profile-url.js';
export type { NativeCapacity } from './domain/protection/capacity.js';
export type { CreatorAnnouncement } from './published/announcements.js';
export { publicCapacity } from './published/public-capacity.js';
export {
  ENROLLMENT_STATUSES,
  type FullPublicCreator,
  fullPublicCreator,
  PROTECTION_STATUSES,
  type PublicCreator,
  publicCreator,
} from './published/public-creator.js';
