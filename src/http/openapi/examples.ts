import { exampleReport } from '../../domain/imports/import-report.js';
import { exampleRowError } from '../../domain/imports/row-error.js';
import type { FileRows } from '../../domain/operation.js';
import type { ContractOperation } from '../../domain/operations.js';
import type { Part } from './schemas.js';

/** The example of a successful answer; 207 is that of an import of which some rows were refused. */
export function exampleOf({ example }: ContractOperation, status: number): unknown {
  return status === 207 ? { ...exampleReport, mode: 'keep-going', applied: 1, rejected: 1, errors: [exampleRowError] } : example.answer;
}

function delimited(rows: FileRows['example'], delimiter: string): string {
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((cells) => cells.join(delimiter));
  return `${lines.join('\n')}\n`;
}

/** The example of a file, by its media type. */
export function fileExamples({ example }: FileRows): Part {
  return {
    'application/json': example,
    'application/x-ndjson': example.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'text/csv': delimited(example, ','),
    'text/tab-separated-values': delimited(example, '\t'),
  };
}
