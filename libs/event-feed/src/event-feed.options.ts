/** What the configuration decides for this context. */
export abstract class EventFeedOptions {
  /** Of a site's icon, with `{domain}` in it; undefined where none is shown. */
  abstract readonly faviconTemplate: string | undefined;
}
