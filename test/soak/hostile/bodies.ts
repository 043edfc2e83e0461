/** The largest and the worst that a body may hold: quotes and backslashes double in JSON, others take four bytes. */
const ALIAS_LENGTH = 160;
const DOUBLED = ['"', '\\', '\u{1f511}', 'é'];

const BODY_BYTES = 16_384;

/** As many aliases as a body of the largest size takes, none of which was there before. */
export const longestAliases = (seed: number): string[] => {
  const filler = DOUBLED[seed % DOUBLED.length] ?? '"';
  const aliases: string[] = [];
  for (let bytes = 100; aliases.length < 30; ) {
    const name = `${seed} ${aliases.length} `;
    const room = ALIAS_LENGTH - name.length;
    const alias = name + filler.repeat(room);
    bytes += Buffer.byteLength(JSON.stringify(alias)) + 1;
    if (bytes > BODY_BYTES) return aliases;
    aliases.push(alias);
  }
  return aliases;
};

export const longestProfiles = (seed: number): string[] =>
  Array.from({ length: 7 }, (_, n) => `https://x.com/p${seed}_${n}_`.padEnd(2_000, 'z'));

export const enrollment = (workspaceId: string, seed: number) => ({
  workspace_id: workspaceId,
  external_id: `hostile ${seed} `.padEnd(200, '"'),
  display_name: '"'.repeat(ALIAS_LENGTH),
  aliases: longestAliases(seed).slice(0, 20),
  email: `${`h${seed}`.padEnd(60, 'x')}@example.com`,
  first_name: '\\'.repeat(100),
  last_name: '"'.repeat(100),
});

/** Queries that the service has to refuse, or for which it has to find nothing. */
export const BROKEN_QUERIES: readonly string[] = [
  '/v1/creators?after=crt_00000000000000000000000000',
  `/v1/creators?after=${'a'.repeat(190)}`,
  '/v1/events?after=evt_00000000000000000000000000',
  '/v1/events?after=%00%ff',
  '/v1/events?limit=1000000',
  '/v1/events?limit=100&limit=100',
  '/v1/usage?month=9999-99',
  `/v1/creators/${'x'.repeat(8_000)}`,
  '/v1/scans/..%2f..%2fetc',
  `/v1/creators?limit=${'9'.repeat(150)}`,
];
