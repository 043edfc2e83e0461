import { describe, expect, it } from '@jest/globals';
import { indexDescriptions, indexesOfNew } from './indexes.js';

describe('an index in MongoDB', () => {
  it('is a compound index of the fields, and of the id that orders equal values', () => {
    expect(indexDescriptions({ name: 'agency', fields: ['agencyId', 'createdAt'] })).toEqual([
      { name: 'agency', key: { agencyId: 1, createdAt: 1, _id: 1 } },
    ]);
  });

  it('finds the position where the adapter has it', () => {
    expect(indexDescriptions({ name: 'recent', fields: ['position'] })).toEqual([
      { name: 'recent', key: { '_meta.position': 1, _id: 1 } },
    ]);
  });

  it('is the one that MongoDB has of the ids', () => {
    expect(indexDescriptions({ name: 'ids', fields: [] })).toEqual([]);
  });

  it('lets MongoDB delete the marks of removals after an hour', () => {
    expect(indexesOfNew([])).toEqual([
      { name: '_removed', key: { '_meta.removedAt': 1 }, sparse: true, expireAfterSeconds: 3_600 },
    ]);
  });

  it('has a second index if it is unique, because that one leaves out documents with a null', () => {
    expect(indexDescriptions({ name: 'external_id', fields: ['workspaceId', 'externalId'], unique: true })).toEqual([
      {
        name: 'external_id_unique',
        key: { workspaceId: 1, externalId: 1 },
        unique: true,
        partialFilterExpression: {
          workspaceId: { $type: ['string', 'number'] },
          externalId: { $type: ['string', 'number'] },
        },
      },
      { name: 'external_id', key: { workspaceId: 1, externalId: 1, _id: 1 } },
    ]);
  });
});
