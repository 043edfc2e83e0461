import type { Command } from 'commander';
import { type ComparedDocument, CompareReadModels } from '#audit';
import type { Operator } from '../operator.js';
import { FailedCheck, jsonText, Text } from '../print.js';
import { withProgressBar } from '../progress-bar.js';
import type { Register } from '../register.js';

export const compareCommand = (projections: Command, register: Register): void =>
  register.reading(
    projections
      .command('compare [names...]')
      .description('rebuild read models next to the live ones, and name each document that differs'),
    compare,
  );

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
  too_many: 'does not follow from the log',
};
