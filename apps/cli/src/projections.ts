import Table from 'cli-table3';
import type { Command } from 'commander';
import { type ComparedDocument, CompareReadModels } from '#audit';
import { SECOND } from '#kernel';
import { type DeadLetterDocument, type ReadModelStatus } from '#projections';
import { type Operator, operatorContext } from './operator.js';
import { FailedCheck, jsonText, Text } from './print.js';
import { withProgressBar } from './progress-bar.js';
import type { Register } from './register.js';

export const addCommands = (projections: Command, register: Register): void => {
  register.reading(
    projections.command('status [names...]').description('show how far the read models are, and what is set aside'),
    status,
  );
  register.analysing(
    projections
      .command('rebuild [names...]')
      .description('rebuild read models from the log while the live ones stay in use, then switch'),
    rebuild,
  );
  register.reading(
    projections
      .command('compare [names...]')
      .description('rebuild read models next to the live ones, and list each document that differs'),
    compare,
  );
  register(
    projections
      .command('retry')
      .description('process the items that runners have set aside; rebuilds read models if needed'),
    retry,
  );
};

const compare = async ({ queries, runners }: Operator, _options: object, names: readonly string[]): Promise<Text> => {
  const { readModels, differences } = await runners.rebuilding(() =>
    withProgressBar((onProgress) => queries.execute(new CompareReadModels(names, onProgress))),
  );
  const value = {
    kind: 'projection_comparison',
    read_models: readModels.map(({ name, collection, documents }) => ({ name, collection, documents })),
    differences,
  };
  const count = readModels.reduce((sum, readModel) => sum + readModel.documents, 0);
  const summary =
    differences.length === 0
      ? `None of ${count} documents differs.`
      : `${differences.length} of ${count} documents differ.`;
  const text = [...differences.map(asText), summary].join('\n\n');
  return differences.length === 0 ? new Text(text, value) : new FailedCheck(text, value);
};

const asText = ({ read_model, id, is, fields }: ComparedDocument): string =>
  [
    `${read_model}  ${id}  ${WORDS[is]}`,
    ...fields.map(({ path, live, rebuilt }) => `  ${path}: ${jsonText(live)}; the log says ${jsonText(rebuilt)}`),
  ].join('\n');

const WORDS: Readonly<Record<ComparedDocument['is'], string>> = {
  different: 'differs',
  missing: 'is missing',
  too_many: 'is not in the log',
};

const rebuild = async (
  { readModels, runners }: Operator,
  _options: object,
  names: readonly string[],
): Promise<object> => {
  const began = performance.now();
  const { names: rebuilt, events } = await runners.rebuilding(() =>
    withProgressBar((onProgress) => readModels.rebuild(names, onProgress)),
  );
  return { rebuilt, events, seconds: Math.round(performance.now() - began) / SECOND };
};

/** D67: runners process it again: those of a worker, or the tool's own if there is no worker. */
const retry = ({ readModels, runners }: Operator): Promise<Text> =>
  runners.following(async (caughtUp) => {
    const retried = await readModels.retryDeadLetters(operatorContext());
    await caughtUp();
    const status = await readModels.status([]);
    const deadLetters = [...status.readModels, ...status.runners].flatMap(({ deadLetters }) => deadLetters);
    const left = deadLetters.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const value = { retried, set_aside: left.map(shownDeadLetter) };
    const text = `Retried ${retried}; ${left.length} still set aside.`;
    return left.length === 0 ? new Text(text, value) : new FailedCheck(text, value);
  });

/** Names the item in the log, without personal data. */
const shownDeadLetter = ({ id, runner, part, item, workspaceId, error, at }: DeadLetterDocument) => ({
  id,
  runner,
  read_model: part,
  item: itemOf(item),
  workspace_id: workspaceId,
  error,
  set_aside_at: at,
});

const itemOf = (item: DeadLetterDocument['item']): string => {
  switch (item.kind) {
    case 'event':
      return `event ${item.eventId}, ${item.stream} at ${item.revision}`;
    case 'dueItem':
      return `due work ${item.itemId}`;
    case 'delivery':
      return `delivery ${item.deliveryId}`;
  }
};

/** Items that other runners have set aside have separate rows (D67). */
const status = async ({ readModels: tools }: Operator, _options: object, names: readonly string[]): Promise<Text> => {
  const { readModels, runners } = await tools.status(names);
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
