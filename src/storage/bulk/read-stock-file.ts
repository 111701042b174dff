import { StoreError } from '../../domain/errors.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import { maximumUnits } from '../../domain/codes/code.js';
import type { Caller } from '../../domain/caller.js';
import { gtinLength, isGtinNumber } from '../../domain/codes/gtin.js';
import type { FileRow } from '../../domain/imports/cells.js';
import { petByCode } from '../../domain/imports/match-code.js';
import { mayHaveMarkers, type PetMatch, type ReadPet } from '../../domain/imports/pet-cell.js';
import { checkStockRow, isStockRow, stockColumns } from '../../domain/imports/stock-row.js';
import { subjectOf } from '../../formats/fault.js';
import { emptyColumn, ignoredColumn, readNumberLines, type NumberColumns } from '../../formats/number-lines.js';
import { openRows, type Row, type RowFile, type RowLines } from '../../formats/reader.js';
import { checkRowCount } from '../../formats/rows.js';
import type { Engine } from '../engine.js';
import { hashed } from './import-batch.js';
import type { RefusedRows } from './refused-rows.js';
import type { SortedStockRows } from './sorted-stock-rows.js';
import { petLookUps, petsOfNumbers, placeIn, readingOf, stockPetReader, type PetLookUps, type ReadShop } from './pet-look-ups.js';
import type { TextFile } from './text-file.js';

/** An import file that was read completely. */
export interface ReadFile {
  readonly kind: 'count' | 'adjust';
  /** How its rows give their pet. */
  readonly match: PetMatch;
  readonly total: number;
  readonly sha256: string;
  /** Whether a row says which quantity it expects. */
  readonly hasExpected: boolean;
  /** The rows whose number was multiplied by the units of a code. */
  readonly multiplied: number;
  readonly lookUps: PetLookUps;
  readonly stockRows: SortedStockRows;
  readonly refused: RefusedRows;
  readonly notes: TextFile;
}

type FileKind = ReadFile['kind'];

function ambiguous(name: string): StoreError {
  return new StoreError('ambiguous_columns', `${subjectOf(name)} has both a quantity and a delta column; remove one of them.`);
}

/** Whether a header or JSON record is a count or an adjustment; undefined for neither. Refuses both with `ambiguous_columns`. */
function kindOf(counts: boolean, adjusts: boolean, known: FileKind | undefined, name: string): FileKind | undefined {
  if ((counts && (adjusts || known === 'adjust')) || (adjusts && known === 'count')) throw ambiguous(name);
  return adjusts ? 'adjust' : counts ? 'count' : known;
}

const quantityCell = stockColumns.indexOf('quantity');
const deltaCell = stockColumns.indexOf('delta');
const codeCell = stockColumns.indexOf('code');

/** The stores for the rows of a file. */
export type RowStores = Pick<ReadFile, 'stockRows' | 'refused' | 'notes'>;

/** Collects the rows of a file in their order. */
function rowCollector({ stockRows, refused, notes }: RowStores) {
  let count = 0;
  let hasExpected = false;
  let multiplied = 0;
  return {
    add: (row: FileRow, kind: FileKind, readPet: ReadPet): void => {
      const checked = checkStockRow(kind, row, readPet);
      if ('code' in checked) {
        refused.add({ rowIndex: count, error: checked });
        // The file does name this pet.
        if (checked.petId !== undefined) stockRows.add(checked.petId, undefined, undefined, checked.line, count);
      } else {
        const note = checked.note === undefined ? 0 : notes.add(checked.note);
        stockRows.add(checked.petId, checked.value, checked.expected, checked.line, count, note);
        if (checked.expected !== undefined) hasExpected = true;
        if (checked.units > 1) multiplied += 1;
      }
      count += 1;
    },
    /** Adds a row that `checkStockRow` would accept; NaN is an expected quantity that is not given. */
    addPlain: (line: number, petId: number, value: number, expected: number, units: number): void => {
      const isExpected = !Number.isNaN(expected);
      stockRows.add(petId, value, isExpected ? expected : undefined, line, count);
      if (isExpected) hasExpected = true;
      if (units > 1) multiplied += 1;
      count += 1;
    },
    count: () => count,
    hasExpected: () => hasExpected,
    multiplied: () => multiplied,
  };
}

/** So many digits are always exact as a number. */
const idDigits = 15;

/** The columns of a stock file as numbers, in the order of `stockColumns`, with the pet or its code first. */
function numberColumns({ positions, width, guarded, delimiter }: RowLines, kind: FileKind, match: PetMatch): NumberColumns {
  const targets = Array.from({ length: width }, () => ignoredColumn);
  const set = (index: number | undefined, target: number): void => {
    if (index !== undefined && index >= 0) targets[index] = target;
  };
  set(guarded, emptyColumn);
  const [pet, quantity, delta, expected, note] = positions;
  set(pet, 0);
  if (match === 'code') set(positions[codeCell], 0);
  set(kind === 'count' ? quantity : delta, 1);
  set(expected, 2);
  set(note, emptyColumn);
  return { delimiter, targets, digits: match === 'code' ? gtinLength : idDigits };
}

/** What reads the rows of a file, and where they go. */
interface Reading {
  readonly read: ReadShop;
  /** Reads which pets some rows mean. */
  readonly petsOf: (rows: readonly Row[]) => Promise<ReadPet>;
  /** The name of the file for messages. */
  readonly name: string;
  readonly rows: ReturnType<typeof rowCollector>;
}

/** The most rows whose codes are looked up together: many, because that may read all codes of the shop. */
const mostWaiting = 1 << 20;
const waitingAtFirst = 1 << 10;
/** The rows with cells whose pets are looked up with one query. */
const rowsPerLookUp = 2000;

/** The positions of the numbers of a waiting row; one with cells has no code. */
const waiting = { code: 0, digits: 1, value: 2, expected: 3, line: 4 } as const;
const waitingWidth = 5;

const noCode = petByCode(new Map());

/** Rows in the order of the file, until the pets of all of them are looked up. */
function waitingRows(kind: FileKind, { read, petsOf, rows }: Reading) {
  let numbers = new Float64Array(waitingAtFirst * waitingWidth);
  let filled = 0;
  let withCells: Row[] = [];
  const addNumbers = (line: number, code: number, digits: number, value: number, expected: number): void => {
    if (filled === numbers.length) {
      const larger = new Float64Array(numbers.length * 2);
      larger.set(numbers);
      numbers = larger;
    }
    numbers[filled + waiting.code] = code;
    numbers[filled + waiting.digits] = digits;
    numbers[filled + waiting.value] = value;
    numbers[filled + waiting.expected] = expected;
    numbers[filled + waiting.line] = line;
    filled += waitingWidth;
  };
  const codesInOrder = (): Float64Array => {
    const codes = new Float64Array(filled / waitingWidth);
    for (let index = 0; index < codes.length; index += 1) codes[index] = numbers[index * waitingWidth] ?? 0;
    // NaN comes last.
    return codes.toSorted().subarray(0, codes.length - withCells.length);
  };
  return {
    addNumbers,
    addRow: (row: Row): void => {
      withCells.push(row);
      addNumbers(row.line, Number.NaN, 0, 0, 0);
    },
    isFull: () => withCells.length >= rowsPerLookUp || filled >= mostWaiting * waitingWidth,
    /** Looks up the pets of the rows and adds them to the others. */
    addAll: async (): Promise<void> => {
      const codes = codesInOrder();
      const found = codes.length === 0 ? undefined : await read((queries) => petsOfNumbers(queries, codes));
      let readPet: ReadPet | undefined;
      let next = 0;
      for (let at = 0; at < filled; at += waitingWidth) {
        const code = numbers[at] ?? 0;
        const line = numbers[at + waiting.line] ?? 0;
        const row = Number.isNaN(code) ? withCells[next] : undefined;
        if (row !== undefined) {
          if (readPet === undefined || next % rowsPerLookUp === 0) readPet = await petsOf(withCells.slice(next, next + rowsPerLookUp));
          rows.add(row, kind, readPet);
          next += 1;
          continue;
        }
        const place = placeIn(codes, code);
        const petId = found?.petIds[place] ?? 0;
        const units = found?.units[place] ?? 1;
        if (petId > 0) rows.addPlain(line, petId, (numbers[at + waiting.value] ?? 0) * units, numbers[at + waiting.expected] ?? 0, units);
        else {
          const cell = String(code).padStart(numbers[at + waiting.digits] ?? 0, '0');
          rows.add({ line, cells: [cell] }, kind, () => noCode({ line, column: 'code', cell }, cell));
        }
      }
      filled = 0;
      withCells = [];
    },
  };
}

/** Reads rows that give the pet by its id or by a code, without making cells of the numbers of most lines. */
async function readLines(lines: RowLines, kind: FileKind, match: PetMatch, reading: Reading): Promise<void> {
  const { petsOf, name, rows } = reading;
  const byCode = match === 'code';
  const queue = waitingRows(kind, reading);
  const numbers = new Float64Array([0, 0, Number.NaN]);
  const lengths = new Uint8Array(numbers.length);
  const columns = numberColumns(lines, kind, match);
  const byId = await petsOf([]);
  const onNumbers = (line: number): boolean => {
    // Not by destructuring, which calls the iterator of the array.
    const pet = numbers[0] ?? 0;
    const value = numbers[1] ?? 0;
    const expected = numbers[2] ?? 0;
    // A row that the units of its code could make too large is read with its cells, for its error.
    const isValid = byCode ? isGtinNumber(pet) && isStockRow(kind, 1, value * maximumUnits, expected) : isStockRow(kind, pet, value, expected);
    if (isValid && byCode) queue.addNumbers(line, pet, lengths[0] ?? 0, value, expected);
    else if (isValid) rows.addPlain(line, pet, value, expected, 1);
    return isValid;
  };
  const onOther = (content: string, line: number): void => {
    const row = lines.rowOf(content, line);
    if (row === undefined) return;
    if (byCode) queue.addRow(row);
    else rows.add(row, kind, byId);
  };
  // A row may also name its pet by a code, or by a cell with a marker.
  const mayHaveCodes = !byCode && (lines.positions[codeCell] ?? -1) >= 0;
  for await (const block of lines.blocks((text) => mayHaveCodes || mayHaveMarkers(text))) {
    if ('text' in block) readNumberLines(block, columns, { numbers, lengths, onNumbers, onOther });
    else for (const row of block) queue.addRow(row);
    // Lines with ids do not wait.
    if (!byCode || queue.isFull()) await queue.addAll();
    checkRowCount(rows.count(), name);
  }
  await queue.addAll();
  checkRowCount(rows.count(), name);
}

/** Reads the rows of a JSON file, or of one whose rows name the pet, in chunks. Returns what the rows are; undefined if none says so. */
async function readChunks(file: RowFile, known: FileKind | undefined, { petsOf, name, rows }: Reading): Promise<FileKind | undefined> {
  const isJson = file.format === 'json' || file.format === 'ndjson';
  let kind = known;
  for await (const chunk of file.chunks()) {
    const readPet = await petsOf(chunk);
    for (const row of chunk) {
      // JSON records may differ, so each one is checked.
      if (isJson) kind = kindOf(row.cells[quantityCell] !== undefined, row.cells[deltaCell] !== undefined, kind, name);
      rows.add(row, kind ?? 'count', readPet);
    }
  }
  return kind;
}

/** Reads a stock file into the stores. Refuses what `openRows` refuses, and ambiguous or missing columns. */
export async function readStockFile(
  { engine, caller }: { readonly engine: Engine; readonly caller: Caller },
  { bytes, ...source }: ImportFile,
  options: StockImportOptions,
  stores: RowStores,
): Promise<ReadFile> {
  const name = source.name ?? 'standard input';
  const passing = hashed(bytes);
  const file = await openRows(passing.bytes, { ...source, ...readingOf(options), signal: options.signal });
  const isText = file.format === 'csv' || file.format === 'tsv';
  let kind = kindOf(file.present.includes('quantity'), file.present.includes('delta'), undefined, name);
  if (isText && kind === undefined)
    throw new StoreError('missing_column', `${subjectOf(name)} has neither a quantity nor a delta column; its header is on line ${file.line}.`);
  const rows = rowCollector(stores);
  const lookUps = petLookUps(engine, options.previewedAt);
  const { read } = lookUps;
  const reading: Reading = { read, petsOf: (some) => stockPetReader(read, caller, options, some), name, rows };
  const wanted = options.match ?? 'id';
  const match = wanted === 'id' && file.present.includes('code') && !file.present.includes('petId') ? 'code' : wanted;
  if (file.lines && kind !== undefined && match !== 'name') await readLines(file.lines, kind, match, reading);
  else kind = await readChunks(file, kind, reading);
  if (kind === undefined)
    throw new StoreError('missing_column', `${subjectOf(name)} has records with neither a quantity nor a delta, first on line ${file.line}.`);
  if (file.unknown.length > 0) options.onIgnored?.(file.unknown);
  const { count, hasExpected, multiplied } = rows;
  return { kind, match, total: count(), sha256: passing.sha256(), hasExpected: hasExpected(), multiplied: multiplied(), lookUps, ...stores };
}
