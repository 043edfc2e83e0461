import { Injectable } from '@nestjs/common';
import { CasesOptions, casesContext } from '#cases';
import { creatorsContext } from '#creators';
import { deindexingContext } from '#deindexing';
import { impersonationsContext } from '#impersonations';
import {
  type AnnouncedStreams,
  announcesNothing,
  Caches,
  type DomainEvent,
  EventLog,
  type RecordedEvent,
} from '#kernel';
import { scansContext } from '#scans';
import type { Announcement } from '../domain/public-event.js';
import { StateAt } from './state-at.js';

/** Of the contexts whose events are announced, only cases needs options for it. */
type AnyStreams = AnnouncedStreams<unknown, DomainEvent, Announcement, CasesOptions>;
type Row = AnyStreams['rows'][string];

/** Each context has rows for its own events only. */
const ANNOUNCED: readonly AnyStreams[] = [
  creatorsContext,
  casesContext,
  impersonationsContext,
  scansContext,
  deindexingContext,
].flatMap(({ announcements }): readonly AnyStreams[] => announcements);

const rowsOf = ({ rows }: AnyStreams): [type: string, row: Row][] =>
  Object.entries(rows).filter(([, row]) => row !== announcesNothing);

export const ANNOUNCED_TYPES: ReadonlySet<string> = new Set(ANNOUNCED.flatMap(rowsOf).map(([type]) => type));

/** What an event of the log announces to agencies. The same event always gives the same announcements. */
@Injectable()
export class Announcements {
  private readonly byType = new Map<
    string,
    { readonly row: Row; readonly states: StateAt<unknown, DomainEvent> | null }
  >();

  constructor(
    log: EventLog,
    private readonly options: CasesOptions,
    caches: Caches = Caches.ON,
  ) {
    for (const streams of ANNOUNCED) {
      const states = streams.decider === null ? null : new StateAt(log, streams.decider, caches);
      for (const [type, row] of rowsOf(streams)) this.byType.set(type, { row, states });
    }
  }

  forget(): void {
    for (const { states } of this.byType.values()) states?.forget();
  }

  async of(event: RecordedEvent): Promise<readonly Announcement[]> {
    const announced = this.byType.get(event.type);
    if (announced === undefined) return [];
    const { row, states } = announced;
    if (states === null) return row(null, null, event, this.options);
    const { before, after } = await states.step(event);
    return row(before.state, after.state, event, this.options);
  }
}
