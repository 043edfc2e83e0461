import { expect, it } from '@jest/globals';
import { PRESETS } from './scopes.js';

it("the presets are those of the specification's table, in its order", () => {
  expect(PRESETS).toEqual({
    read_only: ['workspaces:read', 'creators:read', 'scans:read', 'cases:read', 'usage:read', 'events:read'],
    read_write: [
      'workspaces:read',
      'creators:read',
      'scans:read',
      'cases:read',
      'usage:read',
      'events:read',
      'creators:write',
      'protection:write',
      'scans:write',
      'deindex:write',
    ],
  });
});
