import { caseReport } from '#cases';
import { EXAMPLE } from '../transport/example-values.js';
import type { OperationOptions } from '../transport/operation.js';
import { ACTIVITY, CASE } from './cases.examples.js';

export const LIST_CASES: OperationOptions = {
  tag: 'Cases',
  summary: "A creator's findings, in step with the native leak records; ordered by id.",
  description: `Manual, scheduled and historical findings, and those of API scans. A request without \`after\` first reads what has changed at the
platform. A page may have fewer items than \`limit\`, or none, and still a \`next_cursor\`; follow it until it is null.`,
  apiVersion: '0.2.0',
  scopes: ['cases:read'],
  answers: {
    200: {
      description: 'A page of findings.',
      schema: 'CasePage',
      example: { data: [CASE], next_cursor: CASE.id, simulated: false },
    },
  },
  errors: ['not_found'],
  id: 'creator',
};

export const LIST_ACTIVITY: OperationOptions = {
  tag: 'Cases',
  summary: 'Detections, recorded notices and removals, newest first.',
  description: `\`leak.status\` is the status of now, with the basis \`record_updated\`; it is no exact time of a change. The records do not reconstruct every
earlier status.`,
  apiVersion: '0.8.0',
  scopes: ['cases:read'],
  answers: {
    200: {
      description: 'A page of the history.',
      schema: 'ActivityPage',
      example: { data: [ACTIVITY], next_cursor: null, simulated: false },
    },
  },
  errors: ['not_found'],
  id: 'creator',
};

export const GET_REPORT: OperationOptions = {
  tag: 'Cases',
  summary: "The creator's cases as CSV, at most 100 rows a page.",
  description: `The first row of each page has the names of the columns. Cells are quoted, and an apostrophe disarms what a spreadsheet takes for a
formula. \`X-Next-Cursor\` is the \`after\` of the next page. Records can change between pages, so remove duplicates by \`id\`.`,
  apiVersion: '0.8.0',
  scopes: ['cases:read'],
  answers: {
    200: {
      description: `A page of CSV, such as \`cases-${EXAMPLE.creatorId}-2026-11-25.csv\`.`,
      csv: caseReport([CASE]),
    },
  },
  errors: ['not_found'],
  id: 'creator',
};
