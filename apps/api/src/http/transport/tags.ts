/** The resources, in the order in which a reader needs them. Each operation has one of them as its tag. */
export const TAGS = {
  Connection: 'The agency that a key belongs to, and what the key may do.',
  Workspaces: 'The one workspace of the agency. All its creators and events belong to it.',
  Creators:
    'The people whom the agency protects: their enrollment, identity and protection. Enrollment never activates protection.',
  Scans:
    "Searches for a creator's content, one at a time for each creator. A scan runs after its request was answered.",
  Cases: 'What was found: findings of scans and of the platform itself, their history and a report.',
  Deindexing: 'Requests to remove findings of API scans from the index of the search provider.',
  Impersonations: 'Accounts that pretend to be a creator.',
  Usage: 'What the agency uses: metered time with its estimated price, and slots.',
  Events:
    'What happened, as a feed to read and as webhooks to receive. Both have the same events, with the same ids and bytes.',
} as const;

export type Tag = keyof typeof TAGS;
