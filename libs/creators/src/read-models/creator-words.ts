import {
  type CreatorId,
  type Document,
  isStandIn,
  projection,
  type RecordedEvent,
  streamId,
  type WorkspaceId,
  wordsOf,
} from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import type { CreatorEvent } from '../domain/creator.events.js';
import type { Identity } from '../domain/creator.state.js';

/** A word of a creator's names, aliases or external ids, also of earlier ones. An erasure removes it (D72). */
export interface CreatorWord extends Document {
  readonly workspaceId: WorkspaceId | null;
  readonly word: string;
  readonly creatorId: CreatorId;
}

/** Limits the words of one event. The largest identity has 300 aliases. */
const MAX_WORDS = 1_000;

const creatorOf = ({ stream }: RecordedEvent): CreatorId => streamId(stream) as CreatorId;

const wordsIn = (texts: readonly (string | null)[]): readonly string[] => {
  const words = texts.flatMap((text) => (text === null || isStandIn(text) ? [] : wordsOf(text)));
  return [...new Set(words)].slice(0, MAX_WORDS);
};

/** The id of each word's document starts with the word, because a fold sees only the id. */
const idOf = (word: string, creatorId: CreatorId): string => `${word} ${creatorId}`;

type Named = RecordedEvent & {
  readonly data: { readonly personal: { readonly externalId: string; readonly identity?: Identity } };
};

const named = {
  documents: (event: Named) => {
    const { externalId, identity } = event.data.personal;
    const words = wordsIn([externalId, identity?.displayName ?? null, ...(identity?.aliases ?? [])]);
    return words.map((word) => idOf(word, creatorOf(event)));
  },
  fold: (_: unknown, event: RecordedEvent, id: string): CreatorWord => {
    const creatorId = creatorOf(event);
    const word = id.slice(0, id.indexOf(' '));
    return { id, workspaceId: event.metadata.workspaceId, word, creatorId };
  },
};

export const creatorWordsProjection = projection<CreatorWord, CreatorEvent>({
  name: 'creator_words',
  version: 2,
  runner: DASHBOARD_READ_MODELS,
  indexes: [{ name: 'word', fields: ['workspaceId', 'word', 'creatorId'] }],
  erasedBy: 'creator.personalKeyDestroyed.v1',
  on: {
    'creator.enrolledByLink.v1': named,
    'creator.enrolledByInvitation.v1': named,
    'creator.imported.v1': named,
    'creator.importLinked.v1': named,
    'creator.identityObserved.v2': {
      documents: (event) => {
        const { displayName, aliases } = event.data.personal;
        return wordsIn([displayName, ...aliases]).map((word) => idOf(word, creatorOf(event)));
      },
      fold: named.fold,
    },
  },
});

const MAX_READ = 2_000;
/** A search with more words is as exact as one with these. */
const MAX_SEARCHED = 5;
const AFTER_ALL_LETTERS = '\u{10ffff}';

export interface CreatorsWithWords {
  readonly ids: ReadonlySet<CreatorId>;
  /** More creators may have them. */
  readonly isCutOff: boolean;
}

/** Finds who may have the words. The creator's stream has to confirm it: a name may have changed since. */
export class CreatorWords {
  constructor(private readonly documents: ReadModel<CreatorWord>) {}

  async find(workspaceId: WorkspaceId, words: readonly string[]): Promise<CreatorsWithWords> {
    const longest = words.toSorted((one, other) => other.length - one.length).slice(0, MAX_SEARCHED);
    const found = await Promise.all(longest.map((word) => this.beginningWith(workspaceId, word)));
    // A word that very many have does not narrow the search.
    const complete = found.filter(({ isCutOff }) => !isCutOff);
    const [first, ...others] = complete.length > 0 ? complete : found.slice(0, 1);
    if (first === undefined) return { ids: new Set(), isCutOff: false };
    return { ...first, ids: new Set([...first.ids].filter((id) => others.every(({ ids }) => ids.has(id)))) };
  }

  private async beginningWith(workspaceId: WorkspaceId, word: string): Promise<CreatorsWithWords> {
    const found = await this.documents.findEntries<'creatorId'>({
      index: 'word',
      equals: [workspaceId],
      gte: word,
      lt: `${word}${AFTER_ALL_LETTERS}`,
      limit: MAX_READ,
    });
    return { ids: new Set(found.map(({ creatorId }) => creatorId)), isCutOff: found.length === MAX_READ };
  }
}
