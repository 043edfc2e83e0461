import type { Command } from 'commander';
import { type ComparedDocument, comparedDocuments } from '#audit';
import type { Services } from '../../../service/src/services.js';
import { FailedCheck, Text } from '../print.js';
import { progressBar } from '../progress-bar.js';
import type { Register } from '../register.js';
import { projectionsNamed } from './names.js';

export const compareCommand = (projections: Command, register: Register): void =>
  register.reading(
    projections
      .command('compare [names...]')
      .description('rebuild read models next to the live ones, and name each document that differs'),
    (_options, names = []) =>
      (services) =>
        compare(services, names),
  );

const compare = async ({ log, comparison }: Services, names: readonly string[]): Promise<Text> => {
  const bar = progressBar();
  const { readModels, differences } = await comparison
    .run(projectionsNamed(names), { onProgress: bar.onProgress })
    .finally(() => bar.stop());
  const found = await comparedDocuments(log, differences);
  const value = {
    kind: 'projection_comparison',
    read_models: readModels.map(({ name, collection, documents: count }) => ({ name, collection, documents: count })),
    differences: found,
  };
  const count = readModels.reduce((sum, readModel) => sum + readModel.documents, 0);
  const summary =
    found.length === 0 ? `None of ${count} documents differs.` : `${found.length} of ${count} documents differ.`;
  const text = [...found.map(asText), summary].join('\n\n');
  return found.length === 0 ? new Text(text, value) : new FailedCheck(text, value);
};

const asText = ({ read_model, id, is, fields }: ComparedDocument): string =>
  [
    `${read_model}  ${id}  ${WORDS[is]}`,
    ...fields.map(
      ({ path, live, rebuilt }) => `  ${path}: ${JSON.stringify(live)}, by the log ${JSON.stringify(rebuilt)}`,
    ),
  ].join('\n');

const WORDS: Readonly<Record<ComparedDocument['is'], string>> = {
  different: 'differs',
  missing: 'is missing',
  too_many: 'is not what the log makes',
};
