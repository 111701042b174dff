import type { OriginalRow } from '../../../domain/imports/import-file.js';
import type { RowError } from '../../../domain/imports/row-error.js';
import { guardedCells, guardedHeader } from '../../../formats/spreadsheet.js';
import { csvLine } from '../csv.js';

/** The refused rows of an import as a file that can be corrected and imported again. */
export interface RefusedFile {
  readonly content: Blob;
  readonly name: string;
}

/** Collects refused rows. They are kept as blobs, which the browser stores outside the memory of the page. */
export interface RefusedRows {
  readonly add: (error: RowError, row: OriginalRow) => void;
  /** The file; undefined without rows. */
  readonly file: () => RefusedFile | undefined;
}

/** Characters to collect before they become a blob. */
const partCharacters = 1 << 18;

function isCells(original: OriginalRow['original']): original is readonly string[] {
  return Array.isArray(original);
}

/** Cells become CSV and records of JSON become NDJSON, each with what is wrong with it; an import ignores these columns. */
export function refusedRows(importedName: string): RefusedRows {
  const stem = importedName.replace(/(\.(csv|tsv|txt|json|ndjson|jsonl|gz))+$/i, '');
  const parts: Blob[] = [];
  let text = '';
  let ending: 'csv' | 'ndjson' | undefined;
  return {
    add: ({ line, code, message }, { header, original }) => {
      if (isCells(original)) {
        if (ending === undefined) text += `${csvLine([...guardedHeader(header), '_line', '_code', '_message'])}\r\n`;
        ending = 'csv';
        text += `${csvLine([...guardedCells(header, original), line, code, message])}\r\n`;
      } else {
        ending = 'ndjson';
        text += `${JSON.stringify({ ...original, _line: line, _code: code, _message: message })}\n`;
      }
      if (text.length < partCharacters) return;
      parts.push(new Blob([text]));
      text = '';
    },
    file: () => (ending === undefined ? undefined : { content: new Blob([...parts, text], { type: 'text/plain' }), name: `${stem}-refused.${ending}` }),
  };
}
