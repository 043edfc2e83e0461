import Table from 'cli-table3';
import type { Command } from 'commander';
import { type Projection, type ReadModelStatus, readModelStatus } from '#kernel';
import { READ_MODELS } from '#read-models';
import type { Services } from '../../../composition/src/index.js';
import { Text } from '../print.js';
import type { Register } from '../program.js';
import { projectionsNamed } from './names.js';

export const statusCommand = (projections: Command, register: Register): void =>
  register(
    projections.command('status [names...]').description('show how the read models stand'),
    (_options, names = []) =>
      async (services) =>
        statusOf(services, projectionsNamed(names)),
  );

export const statusOf = async (
  { log, documents, clock }: Services,
  projections: readonly Projection[],
): Promise<Text> => {
  const statuses = await readModelStatus(READ_MODELS, projections, log, documents, clock.now());
  return new Text(asTable(statuses), statuses.map(shown));
};

const shown = ({ name, version, live, behind, isBeingRebuilt, replaced }: ReadModelStatus) => ({
  name,
  collection: live?.collection ?? null,
  version: live?.version ?? null,
  wanted_version: version,
  documents: live?.documents ?? null,
  events_behind: behind,
  is_being_rebuilt: isBeingRebuilt,
  kept_for_rollback: replaced?.collection ?? null,
});

const asTable = (statuses: readonly ReadModelStatus[]): string => {
  const table = new Table({
    head: ['read model', 'live collection', 'version', 'documents', 'how far', 'rebuild', 'kept for rollback'],
    style: { head: [], border: [] },
  });
  for (const { name, version, live, behind, isBeingRebuilt, replaced } of statuses) {
    table.push([
      name,
      live?.collection ?? '–',
      live === undefined || live.version === version ? version : `${live.version}, to be ${version}`,
      live?.documents ?? '–',
      behind === 0 ? 'up to date' : `${behind} ${behind === 1 ? 'event' : 'events'} behind`,
      isBeingRebuilt ? 'under way' : '–',
      replaced?.collection ?? '–',
    ]);
  }
  return table.toString();
};
