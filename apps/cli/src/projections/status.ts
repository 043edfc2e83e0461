import Table from 'cli-table3';
import type { Command } from 'commander';
import { GetReadModelStatus, type ReadModelStatus, type StatusReport } from '#projections';
import { Text } from '../print.js';
import type { Register } from '../register.js';
import { shownDeadLetter } from './dead-letter.js';

export const statusCommand = (projections: Command, register: Register): void =>
  register.reading(
    projections.command('status [names...]').description('show how far the read models are, and what is set aside'),
    async ({ queries }, _options, names) => statusShown(await queries.execute(new GetReadModelStatus(names))),
  );

/** Items that runners of other work have set aside have separate rows (D67). */
const statusShown = ({ readModels, runners }: StatusReport): Text => {
  const rows = [
    ...readModels.map((readModel) => ({ ...shown(readModel), set_aside: readModel.deadLetters.map(shownDeadLetter) })),
    ...runners.map(({ name, deadLetters }) => ({ ...ofRunner(name), set_aside: deadLetters.map(shownDeadLetter) })),
  ];
  const listed = rows.flatMap(({ set_aside: ofRow }) => ofRow).map(deadLetterAsText);
  return new Text([asTable(readModels), ...listed].join('\n'), rows);
};

const ofRunner = (name: string) => ({
  name,
  collection: null,
  version: null,
  wanted_version: null,
  documents: null,
  events_behind: null,
  is_being_rebuilt: false,
  is_missing_events: false,
});

const deadLetterAsText = ({ runner, read_model: readModel, item, error }: ReturnType<typeof shownDeadLetter>): string =>
  `set aside by ${readModel ?? runner}: ${item}: ${error}`;

const shown = ({ name, version, live, behind, isBeingRebuilt, isMissingEvents }: ReadModelStatus) => ({
  name,
  collection: live?.collection ?? null,
  version: live?.version ?? null,
  wanted_version: version,
  documents: live?.documents ?? null,
  events_behind: behind,
  is_being_rebuilt: isBeingRebuilt,
  is_missing_events: isMissingEvents,
});

const asTable = (statuses: readonly ReadModelStatus[]): string => {
  const table = new Table({
    head: ['read model', 'live collection', 'version', 'documents', 'how far', 'rebuild'],
    style: { head: [], border: [] },
  });
  for (const { name, version, live, behind, isBeingRebuilt, isMissingEvents } of statuses) {
    table.push([
      name,
      live?.collection ?? '–',
      live === undefined || live.version === version ? version : `${live.version}, to be ${version}`,
      live?.documents ?? '–',
      isMissingEvents
        ? 'may lack events'
        : behind === 0
          ? 'up to date'
          : `${behind} ${behind === 1 ? 'event' : 'events'} behind`,
      isBeingRebuilt ? 'under way' : isMissingEvents ? 'needed' : '–',
    ]);
  }
  return table.toString();
};
