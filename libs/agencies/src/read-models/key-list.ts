import { type AgencyId, type Document, type Instant, projection } from '#kernel';
import type { ReadModel } from '#projections';
import type { ApiKeyEvent, IssuedKey } from '../domain/api-key.js';

/** A key as operators see it, without its secret or a hash of it. */
export interface KeyDocument extends Document, Pick<IssuedKey, 'agencyId' | 'epoch' | 'name' | 'scopes' | 'expiresAt'> {
  readonly lastFour: string | null;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
}

export const keyListProjection = projection<KeyDocument, ApiKeyEvent>({
  name: 'keys',
  version: 3,
  indexes: [{ name: 'agency', fields: ['agencyId', 'createdAt'] }],
  on: {
    'apiKey.issued.v1': {
      documents: ({ data }) => data.keyId,
      fold: (_, { data, metadata }) => {
        const { keyId: id, agencyId, epoch, name, scopes, expiresAt, lastFour = null } = data;
        const issued = { createdAt: metadata.at, revokedAt: null };
        return { id, agencyId, epoch, name, scopes, expiresAt, lastFour, ...issued };
      },
    },
    'apiKey.revoked.v1': {
      documents: ({ data }) => data.keyId,
      fold: (key, { metadata }) => key && { ...key, revokedAt: metadata.at },
    },
  },
});

export class KeyList {
  constructor(private readonly documents: ReadModel<KeyDocument>) {}

  ofAgency(agencyId: AgencyId): Promise<KeyDocument[]> {
    return this.documents.find({ index: 'agency', equals: [agencyId], limit: 10_000 });
  }
}
