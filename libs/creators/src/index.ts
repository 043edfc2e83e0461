export { CreatorAccess } from './application/access/creator-access.js';
export {
  CreatorPlatform,
  type InvitationRequest,
  type RosterPage,
  type SlotPage,
} from './application/access/creator-platform.js';
export {
  type AgencyScope,
  CreatorsOptions,
  type FoundCreator,
  isFound,
  type LoadedCreator,
} from './application/access/creator-ports.js';
export { CreatorVisibilities, type CreatorVisibility } from './application/access/creator-visibilities.js';
export { Memberships } from './application/access/memberships.js';
export { InvitationMails } from './application/enrollment/invitation-mails.js';
export { InviteCreator } from './application/enrollment/invite-creator.js';
export { LinkCreator } from './application/enrollment/link-creator.js';
export { ResendInvitation } from './application/enrollment/resend-invitation.js';
export { UpdateCreator } from './application/identity/update-creator.js';
export { CreatorErasure } from './application/membership/creator-erasure.js';
export { FindCreator } from './application/membership/find-creator.js';
export { type LeftOutKind, LeftOutRecords, ListLeftOut } from './application/membership/left-out-records.js';
export { ListCreators } from './application/membership/list-creators.js';
export {
  CASE_WALK,
  type LinkedCreator,
  NativeRecordSync,
  type SeenRecords,
  type Synchronized,
} from './application/membership/native-record-sync.js';
export { ObserveCreator, ObserveRoster } from './application/membership/observe-creator.js';
export { RemoveCreator } from './application/membership/remove-creator.js';
export { ActivateProtection, PauseProtection, wasPausedAfter } from './application/protection/change-protection.js';
export { GetCapacity } from './application/protection/get-capacity.js';
export { ReleaseUnknownSlots } from './application/protection/slot-comparison.js';
export { creatorsContext } from './creators.context.js';
export type { CreatorEvent } from './domain/creator.events.js';
export { creatorDecider } from './domain/creator.js';
export {
  type CreatorState,
  type EnrolledCreator,
  hasLeft,
  type Identity,
  isEligible,
  isErased,
  isWithUser,
  requireWritable,
  type Standing,
} from './domain/creator.state.js';
export { enrollByLink, importCreator } from './domain/enrollment/enrollment.js';
export { type RosterEvent, rosterDecider } from './domain/enrollment/roster.js';
export {
  admitMembers,
  automaticExternalId,
  type Invite,
  type LinkEnrollment,
} from './domain/enrollment/roster-admission.js';
export { eraseFromRosterAgain } from './domain/enrollment/roster-erasure.js';
export {
  aliasProblem,
  distinctAliases,
  externalIdProblem,
  type IdentityChange,
  MAX_ALIAS_LENGTH,
  MAX_ALIASES,
  MAX_ALIASES_PER_REQUEST,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_EMAIL_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_PERSON_NAME_LENGTH,
  MAX_PROFILE_URLS_PER_REQUEST,
  MAX_PROFILES,
  MAX_WORKSPACE_ID_LENGTH,
  searchedIdentity,
} from './domain/identity/identity.js';
export { ErasureHashes, eraseCreatorWithoutKey, recordKeyDestroyed } from './domain/membership/erasure.js';
export type { NativeCapacity, NativeCreator, NativeInvitation } from './domain/native-records.js';
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
export {
  assertCursorOf,
  BY_CREATOR,
  BY_TIME,
  type DocumentByTime,
  documentByTime,
  ListByCreator,
  type ListPage,
  type ListPageQuery,
  latestTimeOf,
  newestOfCreator,
  orderByTime,
  timeIn,
} from './read-models/list-by-creator.js';
