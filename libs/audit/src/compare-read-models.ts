import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog, eventsOf, type Position } from '#kernel';
import {
  type ComparedReadModel,
  type DocumentDifference,
  type OnProgress,
  ProjectionCatalogue,
  ReadModelComparison,
} from '#projections';
import { differences } from './differences.js';

/** A document that differs from what the log yields, field by field. */
export interface ComparedDocument {
  readonly read_model: string;
  readonly id: string;
  readonly is: 'different' | 'missing' | 'too_many';
  /** The differing fields; null on a side without one. A document on one side only has just its `last_event`. */
  readonly fields: readonly ComparedField[];
}

interface ComparedField {
  readonly path: string;
  readonly live: unknown;
  readonly rebuilt: unknown;
}

/** If the two versions result from different events, `last_event` names the last event of each; null without one. */
export const comparedDocuments = async (
  log: EventLog,
  found: readonly DocumentDifference[],
): Promise<readonly ComparedDocument[]> => {
  const eventIds = await eventsAt(log, positionsOf(found));
  return found.map(({ projection, id, live, rebuilt }) => {
    const { operationalFields = [] } = projection;
    const shown = (document: typeof live) => {
      if (document === undefined) return undefined;
      const { position, ...members } = document;
      const ofTheLog = Object.entries(members).filter(([name]) => !operationalFields.includes(name));
      const hasMoved = live?.position !== rebuilt?.position;
      const isOnlyOne = live === undefined || rebuilt === undefined;
      return {
        ...(!isOnlyOne && Object.fromEntries(ofTheLog)),
        ...(hasMoved && { last_event: eventIds.get(position) ?? null }),
      };
    };
    return {
      read_model: projection.name,
      id,
      is: live === undefined ? 'missing' : rebuilt === undefined ? 'too_many' : 'different',
      fields: differences(shown(live) ?? {}, shown(rebuilt) ?? {}).map(({ path, before = null, after = null }) => ({
        path,
        live: before,
        rebuilt: after,
      })),
    };
  });
};

/** Only if the two result from different events, or if only one side has the document. */
const positionsOf = (found: readonly DocumentDifference[]): ReadonlySet<Position> =>
  new Set(
    found
      .filter(({ live, rebuilt }) => live?.position !== rebuilt?.position)
      .flatMap(({ live, rebuilt }) => [live, rebuilt].flatMap((document) => document?.position ?? [])),
  );

const eventsAt = async (log: EventLog, positions: ReadonlySet<Position>): Promise<ReadonlyMap<Position, string>> => {
  const ids = new Map<Position, string>();
  if (positions.size === 0) return ids;
  const last = Math.max(...positions);
  for await (const { id, position } of eventsOf(log)) {
    if (positions.has(position)) ids.set(position, id);
    if (position >= last) return ids;
  }
  return ids;
};

export interface ReadModelDifferences {
  readonly readModels: readonly ComparedReadModel[];
  readonly differences: readonly ComparedDocument[];
}

/** Finds documents of the named read models, or of all, that differ from what the log yields. Switches nothing. */
export class CompareReadModels extends Query<ReadModelDifferences> {
  constructor(
    readonly names: readonly string[],
    readonly onProgress: OnProgress,
  ) {
    super();
  }
}

@QueryHandler(CompareReadModels)
export class CompareReadModelsHandler implements IQueryHandler<CompareReadModels> {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly comparison: ReadModelComparison,
    private readonly log: EventLog,
  ) {}

  async execute({ names, onProgress }: CompareReadModels): Promise<ReadModelDifferences> {
    const { readModels, differences } = await this.comparison.run(this.catalogue.select(names), onProgress);
    return { readModels, differences: await comparedDocuments(this.log, differences) };
  }
}
