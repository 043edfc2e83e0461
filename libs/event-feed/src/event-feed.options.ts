/** What this context needs of the configuration. */
export abstract class EventFeedOptions {
  /** The URL of a site's icon, with `{domain}` in it; undefined if none is shown. */
  abstract readonly faviconTemplate: string | undefined;
}
