import { describe, expect, it } from '@jest/globals';
import { indexDescriptions, indexesOfNew } from './definitions.js';

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
});
