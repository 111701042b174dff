import { StoreError } from '../../domain/errors.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import { maximumUnits } from '../../domain/codes/code.js';
import type { Caller } from '../../domain/caller.js';
import { codeDigits, codeKeyOfNumber } from '../../domain/imports/match-code.js';
import { mayHaveMarkers, type MeantPet, type PetMatch, type ReadPet } from '../../domain/imports/pet-cell.js';
import { checkStockRow, isStockRow, stockColumns } from '../../domain/imports/stock-row.js';
import { subjectOf } from '../../formats/fault.js';
import { emptyColumn, ignoredColumn, readNumberLines, type NumberColumns, type NumberLineReader, type TextLines } from '../../formats/number-lines.js';
import { openRows, type Row, type RowFile, type RowLines } from '../../formats/reader.js';
import { checkRowCount } from '../../formats/rows.js';
import type { Engine } from '../engine.js';
import { hashed } from './earlier-import.js';
import type { RefusedRows } from './refused-rows.js';
import type { SortedStockRows } from './sorted-stock-rows.js';
import { petsOfNumbers, readingOf, stockPetReader } from './stock-reading.js';
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
interface RowCollector {
  readonly add: (row: Row, kind: FileKind, readPet: ReadPet) => void;
  /** Adds a row that `checkStockRow` would accept; NaN is an expected quantity that is not given. */
  readonly addPlain: (line: number, petId: number, value: number, expected: number, units: number) => void;
  readonly count: () => number;
  readonly hasExpected: () => boolean;
  readonly multiplied: () => number;
}

function rowCollector({ stockRows, refused, notes }: RowStores): RowCollector {
  let count = 0;
  let hasExpected = false;
  let multiplied = 0;
  return {
    add: (row, kind, readPet) => {
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
    addPlain: (line, petId, value, expected, units) => {
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

/** The columns of a stock file as numbers, in the order of `stockColumns`, with the pet first. */
function numberColumns({ positions, width, guarded, delimiter }: RowLines, kind: FileKind, match: PetMatch): NumberColumns {
  const targets = Array.from({ length: width }, () => ignoredColumn);
  const set = (index: number | undefined, target: number): void => {
    if (index !== undefined && index >= 0) targets[index] = target;
  };
  set(guarded, emptyColumn);
  const [pet, quantity, delta, expected, note] = positions;
  set(pet, 0);
  set(kind === 'count' ? quantity : delta, 1);
  set(expected, 2);
  set(note, emptyColumn);
  return { delimiter, targets, digits: match === 'code' ? codeDigits : idDigits };
}

/** What reads the rows of a file, and where they go. */
interface Reading {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly options: StockImportOptions;
  /** The name of the file for messages. */
  readonly name: string;
  readonly rows: RowCollector;
}

/** The blocks of text, of about 64 KiB, whose codes are looked up together: many, because neighbours in the table are read together. */
const blocksPerLookUp = 16;

/** The rows whose pets are looked up with one query. */
const rowsPerLookUp = 2000;

/** The rows of some lines that are not only numbers, by line, with the reader of their pets; and the pets of the codes in the others. */
interface CodesOfLines {
  readonly pets: ReadonlyMap<number, MeantPet>;
  readonly others: ReadonlyMap<number, Row>;
  readonly readPet: ReadPet;
}

/** Looks up the codes in lines. */
async function codesOfLines(blocks: readonly TextLines[], lines: RowLines, kind: FileKind, { engine, caller, options }: Reading): Promise<CodesOfLines> {
  const numbers = new Float64Array([0, 0, Number.NaN]);
  const keys = new Map<number, string>();
  const others = new Map<number, Row>();
  const columns = numberColumns(lines, kind, 'code');
  const reader: NumberLineReader = {
    numbers,
    onNumbers: () => {
      const number = numbers[0] ?? 0;
      const key = keys.get(number) ?? codeKeyOfNumber(number);
      // A row that the units of its code could make too large is read with its cells, for its error.
      if (key === undefined || !isStockRow(kind, 1, (numbers[1] ?? 0) * maximumUnits, numbers[2] ?? 0)) return false;
      keys.set(number, key);
      return true;
    },
    onOther: (content, line) => {
      const row = lines.rowOf(content, line);
      if (row) others.set(line, row);
    },
  };
  for (const block of blocks) readNumberLines(block, columns, reader);
  // In the order of the table, whose pages are read once.
  const sorted = Array.from(Float64Array.from(keys.keys()).toSorted(), (number) => keys.get(number) ?? '');
  const pets = await engine.read((queries) => petsOfNumbers(queries, sorted), { isRepeatable: true });
  return { pets, others, readPet: await stockPetReader(engine, caller, options, [...others.values()]) };
}

/** Reads rows that give the pet by its id or by a code, without making cells of the numbers of most lines. */
async function readLines(lines: RowLines, kind: FileKind, match: PetMatch, reading: Reading): Promise<void> {
  const { engine, caller, options, name, rows } = reading;
  const numbers = new Float64Array([0, 0, Number.NaN]);
  const columns = numberColumns(lines, kind, match);
  const byId = await stockPetReader(engine, caller, options, []);
  let codes: CodesOfLines | undefined;
  const onNumbers = (line: number): boolean => {
    // Not by destructuring, which calls the iterator of the array.
    const number = numbers[0] ?? 0;
    const meant = codes?.pets.get(number);
    if (codes !== undefined && meant === undefined) return false;
    const petId = meant?.petId ?? number;
    const units = meant?.units ?? 1;
    const value = (numbers[1] ?? 0) * units;
    const expected = numbers[2] ?? 0;
    const isValid = isStockRow(kind, petId, value, expected);
    if (isValid) rows.addPlain(line, petId, value, expected, units);
    return isValid;
  };
  const onOther = (content: string, line: number): void => {
    const row = codes?.others.get(line) ?? lines.rowOf(content, line);
    if (row) rows.add(row, kind, codes?.readPet ?? byId);
  };
  const addAll = async (all: readonly Row[]): Promise<void> => {
    for (let at = 0; at < all.length; at += rowsPerLookUp) {
      const some = all.slice(at, at + rowsPerLookUp);
      const readPet = await stockPetReader(engine, caller, options, some);
      for (const row of some) rows.add(row, kind, readPet);
    }
  };
  // A row may also name its pet by a code, or by a cell with a marker.
  const hasCodes = (lines.positions[codeCell] ?? -1) >= 0;
  let waiting: TextLines[] = [];
  const addWaiting = async (): Promise<void> => {
    if (match === 'code') codes = await codesOfLines(waiting, lines, kind, reading);
    for (const block of waiting) readNumberLines(block, columns, { numbers, onNumbers, onOther });
    waiting = [];
  };
  for await (const block of lines.blocks((text) => hasCodes || mayHaveMarkers(text))) {
    if ('text' in block) {
      waiting.push(block);
      if (match === 'id' || waiting.length >= blocksPerLookUp) await addWaiting();
    } else {
      await addWaiting();
      await addAll(block);
    }
    checkRowCount(rows.count(), name);
  }
  await addWaiting();
  checkRowCount(rows.count(), name);
}

/** Reads the rows of a JSON file, or of one whose rows name the pet, in chunks. Returns what the rows are; undefined if none says so. */
async function readChunks(file: RowFile, known: FileKind | undefined, { engine, caller, options, name, rows }: Reading): Promise<FileKind | undefined> {
  const isJson = file.format === 'json' || file.format === 'ndjson';
  let kind = known;
  for await (const chunk of file.chunks()) {
    const readPet = await stockPetReader(engine, caller, options, chunk);
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
  { engine, caller }: Pick<Reading, 'engine' | 'caller'>,
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
  const reading: Reading = { engine, caller, options, name, rows };
  const wanted = options.match ?? 'id';
  if (file.lines && kind !== undefined && wanted !== 'name') await readLines(file.lines, kind, wanted, reading);
  else kind = await readChunks(file, kind, reading);
  if (kind === undefined)
    throw new StoreError('missing_column', `${subjectOf(name)} has records with neither a quantity nor a delta, first on line ${file.line}.`);
  if (file.unknown.length > 0) options.onIgnored?.(file.unknown);
  const match = wanted === 'id' && file.present.includes('code') && !file.present.includes('petId') ? 'code' : wanted;
  return { kind, match, total: rows.count(), sha256: passing.sha256(), hasExpected: rows.hasExpected(), multiplied: rows.multiplied(), ...stores };
}
