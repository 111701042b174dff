import { listCountPets } from '../../domain/counts/list-count-pets.js';
import { getBatch } from '../../domain/imports/get-batch.js';
import { StoreError } from '../../domain/errors.js';
import { listLedger } from '../../domain/ledger/list-ledger.js';
import { getPetDetails } from '../../domain/pets/get-pet-details.js';
import { listPets } from '../../domain/pets/list-pets.js';
import type { Shop } from '../../domain/shop.js';
import { pluralize } from '../../domain/values/text.js';
import { allPages, rowsOfPets } from '../../domain/all-pages.js';
import type { Command } from '../command.js';
import { completeRecords } from '../completion/completers.js';
import { command } from '../declare-command.js';
import { choice, flag, toggle, recordsFlag, type FlagValues } from '../flags.js';
import { labelOf, type Label, type LabelSize } from '../../formats/labels/label.js';
import { htmlPage, labelSheet, labelSize } from '../../formats/labels/label-sheet.js';
import { svgLabel } from '../../formats/labels/svg-label.js';
import { zplLabel } from '../../formats/labels/zpl.js';
import { countFromOne, idOf } from '../readers.js';
import { anyPets } from '../shared-arguments.js';
import { petFilterInput } from './pet/pet-fields.js';

const mostLabels = 10_000;
const usualSize: LabelSize = { width: 50, height: 25 };
const usualDpi = '203';

/** The pets that get labels, and how many each gets. */
type Wanted = ReadonlyMap<number, number>;

function addTo(wanted: Map<number, number>, petId: number, count: number): void {
  wanted.set(petId, (wanted.get(petId) ?? 0) + count);
}

const flags = {
  category: recordsFlag('category', 'the pets of this category; may be repeated'),
  missingCode: toggle({ long: 'missing-code', summary: 'only pets without a code; their labels get the own number of the shop' }),
  count: flag({ long: 'count', value: 'id', summary: 'the pets of this count', read: idOf('count'), complete: completeRecords('count') }),
  batch: flag({
    long: 'batch',
    value: 'id',
    summary: 'a delivery: a label for each unit that this import added',
    read: idOf('batch'),
    complete: completeRecords('batch'),
  }),
  as: choice({
    long: 'as',
    value: 'kind',
    summary: 'a page to print, one drawing, or text for a label printer',
    choices: ['html', 'svg', 'zpl'],
    default: 'html',
  }),
  size: flag({ long: 'size', value: 'WxH', summary: 'width and height of a label in mm', default: '50x25', read: labelSize }),
  sheet: flag({ long: 'sheet', value: 'paper:CxR', summary: 'print on sheets of labels, such as A4:3x8', read: labelSheet }),
  start: flag({ long: 'start', value: 'n', summary: 'the first free label of the sheet', default: '1', read: countFromOne }),
  copies: flag({ long: 'copies', value: 'n', summary: 'labels for each pet', default: '1', read: countFromOne }),
  showCategory: toggle({ long: 'show-category', summary: 'add the name of the category' }),
  qr: toggle({ long: 'qr', summary: 'draw QR codes' }),
  dpi: choice({ long: 'dpi', value: 'n', summary: 'the resolution of the label printer', choices: ['203', '300', '600'], default: usualDpi }),
};

type Selection = Pick<FlagValues<typeof flags>, 'category' | 'missingCode' | 'count' | 'batch'> & { readonly pet: readonly number[] };

/** The pets of a selection: those named, of categories or of the whole shop, of a count, or those that an import added units of. */
async function wantedPets({ call }: Shop, { pet, category, missingCode, count, batch }: Selection): Promise<Wanted> {
  const wanted = new Map<number, number>();
  for (const petId of pet) addTo(wanted, petId, 1);
  if (category !== undefined || (missingCode && pet.length === 0)) {
    const filter = await petFilterInput({ category }, call);
    for await (const page of allPages(call, listPets, filter, mostLabels)) for (const { id } of page) addTo(wanted, id, 1);
  }
  if (count !== undefined)
    for await (const page of allPages(call, listCountPets, { countId: count }, mostLabels)) for (const { petId } of page) addTo(wanted, petId, 1);
  if (batch !== undefined) {
    await call(getBatch, { batchId: batch });
    for await (const page of allPages(call, listLedger, { batchId: [batch] })) {
      for (const { petId, delta = 0 } of page) if (petId !== undefined && delta > 0) addTo(wanted, petId, delta);
    }
  }
  return wanted;
}

/** The command `label`. */
export const labelCommand: Command = command({
  path: ['label'],
  summary: 'make labels with barcodes, to print',
  arguments: { pet: anyPets },
  flags,
  operations: [getPetDetails, listPets, listCountPets, getBatch, listLedger],
  run: async (context, { copies = 1, as = 'html', size = usualSize, sheet, start = 1, dpi = usualDpi, showCategory, qr, ...selection }) => {
    if (sheet !== undefined && start > sheet.columns * sheet.rows)
      throw new StoreError('usage', `--start: the sheet has ${sheet.columns * sheet.rows} labels, not ${start}.`);
    if (context.io.stdout.isTerminal)
      throw new StoreError('usage', 'Labels are not shown at a terminal.', { advice: `To keep them in a file, add: > labels.${as}` });
    const shop = await context.shop();
    const wanted = await wantedPets(shop, selection);
    const pets = await rowsOfPets([...wanted.keys()], (some) =>
      shop.callEach(
        getPetDetails,
        some.map((petId) => ({ petId })),
      ),
    );
    const shown = selection.missingCode ? pets.filter(({ codes }) => codes.length === 0) : pets;
    if (shown.length === 0) {
      const { pet, category, missingCode, count, batch } = selection;
      const selects = pet.length > 0 || [category, missingCode, count, batch].some((one) => one !== undefined);
      if (!selects) throw new StoreError('usage', 'Which pets? Name them, or use --category, --missing-code, --count or --batch.');
      throw new StoreError('usage', wanted.size === 0 ? 'No pet is selected, so there are no labels.' : 'Every one of these pets has a code.');
    }
    const labels = shown.map((pet): { readonly label: Label; readonly copies: number } => ({
      label: labelOf(pet, { showsCategory: showCategory === true, qr: qr === true }),
      copies: copies * (wanted.get(pet.id) ?? 1),
    }));
    const number = labels.reduce((sum, one) => sum + one.copies, 0);
    if (number > mostLabels) throw new StoreError('validation_failed', `These are ${number} labels; one command makes at most ${mostLabels}.`);
    if (as === 'zpl') {
      await context.io.stdout.write(labels.map((one) => zplLabel(one.label, { size, dpi: Number(dpi), copies: one.copies })).join(''));
    } else {
      const { toSVG } = await import('bwip-js/node');
      const [first] = labels;
      if (as === 'svg' && (labels.length > 1 || first === undefined))
        throw new StoreError('usage', `An SVG is one label, and these are ${pluralize(labels.length, 'pet')}; use --as html.`);
      const layout = sheet === undefined ? { size } : { sheet, skipped: start - 1 };
      const every = labels.flatMap((one) => Array.from({ length: one.copies }, () => one.label));
      await context.io.stdout.write(as === 'svg' && first ? `${svgLabel(first.label, size, toSVG)}\n` : htmlPage(every, layout, toSVG));
    }
    await context.note(`${pluralize(number, 'label')} for ${pluralize(labels.length, 'pet')}.`);
  },
  examples: [
    'petstore label 7 > label.html',
    'petstore label --category Fish --sheet A4:3x8 --start 5 > labels.html',
    'petstore label 7 13 --copies 20 --as zpl > labels.zpl',
  ],
});
