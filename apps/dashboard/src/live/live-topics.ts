/** What a page shows, by the name under which it keeps the answers of the server. */
export type Topic = 'overview' | 'keys' | 'endpoints' | 'deliveries' | 'events' | 'creators' | 'usage';

/** By the category of a stream. */
const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  agency: ['overview', 'keys', 'endpoints'],
  apiKey: ['overview', 'keys'],
  webhookEndpoint: ['overview', 'endpoints', 'deliveries'],
  webhookDelivery: ['deliveries', 'endpoints'],
  eventFeed: ['overview', 'events'],
  creator: ['overview', 'creators'],
  scan: ['creators'],
  case: ['creators'],
  deindexRequest: ['creators'],
  usageMeter: ['overview', 'usage'],
};

export const LIVE_CATEGORIES: ReadonlySet<string> = new Set(Object.keys(TOPICS));

/** What an event of that type may have changed. */
export const topicsOf = (type: string): readonly Topic[] => TOPICS[type.split('.')[0] ?? ''] ?? [];
