import Table from 'cli-table3';
import type { Command } from 'commander';
import { ALL_PROJECTIONS } from '#contexts';
import type { Projection } from '#kernel';
import { READ_MODELS, type ReadModelStatus, readModelStatus } from '#projections';
import type { Services } from '../../../service/src/services.js';
import { Text } from '../print.js';
import type { Register } from '../register.js';
import { projectionsNamed } from './names.js';
import { setAsideNow, shownAside } from './set-aside.js';

export const statusCommand = (projections: Command, register: Register): void =>
  register.reading(
    projections.command('status [names...]').description('show how the read models stand'),
    (_options, names = []) =>
      async (services) =>
        statusOf(services, projectionsNamed(names), names.length === 0),
  );

/** Of all read models with what other runners have set aside, as rows of their own (D67). */
export const statusOf = async (
  services: Services,
  projections: readonly Projection[],
  isOfAll = false,
): Promise<Text> => {
  const { log, documents, clock } = services;
  const statuses = await readModelStatus(READ_MODELS, projections, log, documents, clock.now());
  const asides = await setAsideNow(services);
  const ofScope = (scope: string) => asides.filter((aside) => aside.scope === scope);
  const known = new Set(ALL_PROJECTIONS.map(({ name }) => name));
  const others = isOfAll ? [...new Set(asides.map(({ scope }) => scope))].filter((scope) => !known.has(scope)) : [];
  const rows = [
    ...statuses.map((status) => ({ ...shown(status), set_aside: ofScope(status.name).map(shownAside) })),
    ...others.map((scope) => ({ ...ofRunner(scope), set_aside: ofScope(scope).map(shownAside) })),
  ];
  const listed = rows.flatMap(({ set_aside: ofRow }) => ofRow).map(asideAsText);
  return new Text([asTable(statuses), ...listed].join('\n'), rows);
};

const ofRunner = (name: string) => ({
  name,
  collection: null,
  version: null,
  wanted_version: null,
  documents: null,
  events_behind: null,
  is_being_rebuilt: false,
  kept_for_rollback: null,
});

const asideAsText = ({ runner, read_model: readModel, item, error }: ReturnType<typeof shownAside>): string =>
  `set aside by ${readModel ?? runner}: ${item}: ${error}`;

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
