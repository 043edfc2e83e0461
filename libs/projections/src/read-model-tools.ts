import { Injectable } from '@nestjs/common';
import { DeadLetters, isKept } from '#jobs';
import {
  type CommandContext,
  DocumentStore,
  EventLog,
  eventsOf,
  invalidRequest,
  newEventId,
  type Projection,
  typesOf,
  withLiveCollection,
} from '#kernel';
import { type DeadLetterDocument, DeadLetterList, readModelOf } from './dead-letters/dead-letter-list.js';
import { laneOfReadModels, READ_MODELS } from './engine/read-models-runner.js';
import { Rebuild } from './rebuild/rebuild.js';
import { isOfDeadProcess } from './rebuild/shadows.js';
import type { OnProgress } from './rebuild/write-buffer.js';
import { entriesOf, noEntryOf } from './stored-live-collections.js';

export class ProjectionCatalogue {
  constructor(readonly all: readonly Projection[]) {}

  /** The read models with these names; all without names. */
  select(names: readonly string[]): readonly Projection[] {
    const unknown = names.filter((name) => !this.all.some((projection) => projection.name === name));
    if (unknown.length > 0) {
      const known = this.all.map(({ name }) => name).join(', ');
      throw invalidRequest({ field: unknown.join(', '), message: `must be of ${known}` });
    }
    return names.length === 0 ? this.all : this.all.filter(({ name }) => names.includes(name));
  }
}

export interface ReadModelStatus {
  readonly name: string;
  readonly version: number;
  /** Undefined if the read model was never filled. */
  readonly live: { readonly collection: string; readonly version: number; readonly documents: number } | undefined;
  /** How many events of the log it does not reflect yet. */
  readonly behind: number;
  readonly isBeingRebuilt: boolean;
  /** An older build moved the checkpoint without it, so the next worker rebuilds it (D112). */
  readonly isMissingEvents: boolean;
}

interface StatusReport {
  readonly readModels: readonly (ReadModelStatus & { readonly deadLetters: readonly DeadLetterDocument[] })[];
  /** Runners of other work that have set something aside (D67); empty if read models were named. */
  readonly runners: readonly { readonly name: string; readonly deadLetters: readonly DeadLetterDocument[] }[];
}

/** The operators' tools for read models. Without names they concern all of them. */
@Injectable()
export class ReadModelTools {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly list: DeadLetterList,
    private readonly deadLetters: DeadLetters,
    private readonly rebuilding: Rebuild,
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
  ) {}

  async status(names: readonly string[]): Promise<StatusReport> {
    const { log, documents, catalogue } = this;
    const statuses = await readModelStatus(catalogue.select(names), log, documents);
    const deadLetters = Map.groupBy(await this.list.list(), ({ scope }) => scope);
    const readModels = statuses.map((status) => ({ ...status, deadLetters: deadLetters.get(status.name) ?? [] }));
    if (names.length > 0) return { readModels, runners: [] };
    for (const { name } of catalogue.all) deadLetters.delete(name);
    return { readModels, runners: [...deadLetters].map(([name, deadLetters]) => ({ name, deadLetters })) };
  }

  /** Rebuilds them from the log while the live ones stay in use. */
  async rebuild(names: readonly string[], onProgress: OnProgress) {
    const chosen = this.catalogue.select(names);
    const events = await this.rebuilding.run(chosen, onProgress);
    return { names: chosen.map(({ name }) => name), events };
  }

  /** D67: runners process set-aside items again; a repeated failure sets one aside again. Returns the number of items. */
  async retryDeadLetters(context: CommandContext): Promise<number> {
    const deadLetters = await this.list.list();
    const lacking = new Set(deadLetters.map(readModelOf));
    const incomplete = this.catalogue.all.filter(({ name }) => lacking.has(name));
    // A rebuild records itself which events it could process this time.
    if (incomplete.length > 0) await this.rebuilding.run(incomplete);
    for (const deadLetter of deadLetters) {
      if (incomplete.some(({ name }) => name === readModelOf(deadLetter))) continue;
      const { runner, part, item, workspaceId, eventId: causationId } = deadLetter;
      const ofItem = { ...context, correlationId: newEventId(), causationId, workspaceId };
      await this.deadLetters.retry({ runner, part, item }, ofItem);
    }
    return deadLetters.length;
  }
}

export const readModelStatus = (
  projections: readonly Projection[],
  log: EventLog,
  store: DocumentStore,
): Promise<ReadModelStatus[]> =>
  Promise.all(
    projections.map(async (projection) => {
      const { name, version, runner = READ_MODELS } = projection;
      const checkpoint = await store.checkpoint(laneOfReadModels(runner));
      let behind = 0;
      for await (const _ of eventsOf(log, { types: typesOf([projection]) }, checkpoint?.position)) behind++;
      let entry = noEntryOf(projection);
      const nameOfLive = async () => {
        entry = (await entriesOf(store, [projection])).get(name) ?? entry;
        return entry.collection;
      };
      const documents = await withLiveCollection(nameOfLive, async (collection) =>
        entry.version === 0 ? 0 : store.count(collection),
      );
      const live =
        entry.version === 0 ? undefined : { collection: entry.collection, version: entry.version, documents };
      const isBeingRebuilt = entry.rebuild !== undefined && !isOfDeadProcess(entry.rebuild);
      return { name, version, live, behind, isBeingRebuilt, isMissingEvents: !isKept(checkpoint, projection) };
    }),
  );
