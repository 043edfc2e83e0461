const READ_SCOPES = [
  'workspaces:read',
  'creators:read',
  'scans:read',
  'cases:read',
  'usage:read',
  'events:read',
] as const;

const WRITE_SCOPES = ['creators:write', 'protection:write', 'scans:write', 'deindex:write'] as const;

export type Scope = (typeof READ_SCOPES)[number] | (typeof WRITE_SCOPES)[number];

export const PRESETS = {
  read_only: READ_SCOPES,
  read_write: [...READ_SCOPES, ...WRITE_SCOPES],
} as const satisfies Record<string, readonly Scope[]>;

export type Preset = keyof typeof PRESETS;
