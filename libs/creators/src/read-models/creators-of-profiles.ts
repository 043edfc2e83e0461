import {
  type CreatorId,
  type Document,
  isStandIn,
  projection,
  type RecordedEvent,
  streamId,
  type WorkspaceId,
} from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import type { CreatorEvent } from '../domain/creator.events.js';
import { digestOf } from '../domain/enrollment/roster-entry.js';
import { accountOf, type Profile } from '../domain/profile-url.js';

/** Which creator had an account; its id is a hash of the workspace and the account. An erasure removes it. */
export interface CreatorOfProfile extends Document {
  readonly creatorId: CreatorId;
}

const idOf = (workspaceId: WorkspaceId, profile: Profile): string => digestOf(`${workspaceId} ${accountOf(profile)}`);

const idsOf = (workspaceId: WorkspaceId | null, profiles: readonly Profile[]): string[] => {
  const readable = profiles.filter(({ username }) => !isStandIn(username));
  return workspaceId === null ? [] : [...new Set(readable.map((profile) => idOf(workspaceId, profile)))];
};

type Submits = RecordedEvent & {
  readonly data: { readonly personal: { readonly identity: { readonly profiles: readonly Profile[] } } };
};

const creatorOf = ({ stream }: RecordedEvent): CreatorId => streamId(stream) as CreatorId;

const submits = {
  documents: ({ metadata, data }: Submits) => idsOf(metadata.workspaceId, data.personal.identity.profiles),
  fold: (_: unknown, event: RecordedEvent, id: string): CreatorOfProfile => ({ id, creatorId: creatorOf(event) }),
};

export const creatorsOfProfilesProjection = projection<CreatorOfProfile, CreatorEvent>({
  name: 'creators_of_profiles',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [],
  erasedBy: 'creator.personalKeyDestroyed.v1',
  on: {
    'creator.enrolledByLink.v1': submits,
    'creator.enrolledByInvitation.v1': submits,
    'creator.importLinked.v1': submits,
    'creator.identityObserved.v2': {
      documents: ({ metadata, data }) => idsOf(metadata.workspaceId, data.personal.profiles),
      fold: submits.fold,
    },
  },
});

/** The creator's stream has to confirm the result: the creator may have lost the account since. */
export class CreatorsOfProfiles {
  constructor(private readonly documents: ReadModel<CreatorOfProfile>) {}

  async find(workspaceId: WorkspaceId, profile: Profile): Promise<CreatorId | undefined> {
    return (await this.documents.get(idOf(workspaceId, profile)))?.creatorId;
  }
}
