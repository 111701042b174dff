import { findCategory } from '../../../domain/categories/find-category.js';
import type { Call } from '../../../domain/call.js';
import { StoreError } from '../../../domain/errors.js';
import type { NewSecret } from '../../../domain/hooks/hook-keeper.js';
import { lowKinds } from '../../../domain/hooks/hook-event.js';
import { ledgerKind } from '../../../domain/ledger/ledger-entry.js';
import { findPets } from '../../../domain/pets/find-pet.js';
import { pluralize } from '../../../domain/values/text.js';
import { argument } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { completeFiles } from '../../completion/completers.js';
import { command, requireChange } from '../../declare-command.js';
import { flag, repeatedChoice, requiredFlag, toggle, type FlagValues, recordFlag, recordsFlag } from '../../flags.js';
import { allBytes } from '../../io.js';
import { mutationFlags } from '../../mutation-flags.js';
import { textPrompt } from '../../prompts/shared-prompts.js';
import { anyText, countFromOne, idOf, nameText } from '../../readers.js';
import { makeChange, makeConfirmed, showChange, showSecret } from '../../record-command.js';
import { hookArgument } from '../../shared-arguments.js';
import { hookColumns, newSecretColumns } from './hook-columns.js';

const filterFlags = {
  kind: repeatedChoice({ long: 'kind', value: 'kind', summary: 'only events of this kind, such as sale; may be repeated', choices: ledgerKind.options }),
  low: toggle({ long: 'low', summary: 'the kinds inventory.low and inventory.restocked' }),
  pet: recordsFlag('pet', 'only events of this pet, by id or name; may be repeated'),
  category: recordFlag('category', 'only events of this category and its pets, by id or name'),
  rows: toggle({ long: 'rows', summary: 'send each row of an import, an undo or a closed count, not one event for it' }),
  batch: flag({ long: 'batch', value: 'n', summary: 'send up to n events in one request', read: countFromOne }),
};

const secretFile = flag({
  long: 'secret-file',
  value: 'file',
  summary: 'a file with the secret (whsec_ and base64), instead of a new one',
  read: nameText,
  complete: completeFiles,
});

// No --key: the stored answer would hold the secret. No --note: the ledger has no entries for hooks.
const { dryRun, yes } = mutationFlags;

async function filterOf({ kind, low, pet, category }: Omit<FlagValues<typeof filterFlags>, 'rows' | 'batch'>, call: Call) {
  const kinds = [...new Set([...(kind ?? []), ...(low === true ? lowKinds : [])])];
  return {
    ...(kinds.length > 0 && { kinds }),
    ...(pet !== undefined && { petId: await findPets(call, pet) }),
    ...(category !== undefined && { categoryId: await findCategory(call, category, 'category_not_found') }),
  };
}

async function secretIn({ io }: Context, path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : (await allBytes(io.readFile(path), 1, `${path} has`)).toString('latin1');
}

/** Says what was done, or would be, and shows a new secret. A secret from a file is not repeated. */
async function showNewSecret(
  context: Context,
  { hook, secret }: NewSecret,
  sentence: string,
  { isOwn, dryRun: dry }: { readonly isOwn: boolean; readonly dryRun: true | undefined },
): Promise<void> {
  if (dry === true) return showChange(context, { columns: hookColumns, rows: [hook], sentence: () => sentence, dryRun: dry });
  await context.note(sentence);
  if (isOwn) return;
  const note = 'The secret is shown only once; the receiver verifies the signature of each request with it.';
  await showSecret(context, newSecretColumns, { ...hook, secret }, [note]);
}

const hookCreate: Command = command({
  path: ['hook', 'create'],
  aliases: ['add', 'new'],
  summary: 'send events from now on to an address; its secret is shown only once',
  arguments: { url: argument({ read: anyText, prompt: textPrompt('Address to send events to:') }) },
  flags: {
    ...filterFlags,
    allowPrivate: toggle({ long: 'allow-private', summary: 'allow http, and private, loopback and link-local addresses' }),
    secretFile,
    dryRun,
    yes,
  },
  mutates: true,
  exits: ['validation_failed', 'category_not_found', 'ambiguous_category', 'pet_not_found', 'ambiguous_pet'],
  columns: newSecretColumns,
  run: async (context, { url, batch = 1, rows, allowPrivate, secretFile: file, dryRun: dry, ...filter }) => {
    const { call, hooks } = await context.shop();
    const secret = await secretIn(context, file);
    const draft = { url, ...(await filterOf(filter, call)), batch, rows: rows === true, allowPrivate: allowPrivate === true, secret };
    const made = await hooks.create(draft, { dryRun: dry });
    const { id, url: address } = made.hook;
    const sentence = dry === true ? `Would create hook ${id} (${address}).` : `Created hook ${id} (${address}). Try it with petstore hook test ${id}.`;
    await showNewSecret(context, made, sentence, { isOwn: secret !== undefined, dryRun: dry });
  },
  examples: ['petstore hook create https://hooks.example.com/petstore', 'petstore hook create http://127.0.0.1:9000/ --low --allow-private'],
});

const hookEdit: Command = command({
  path: ['hook', 'edit'],
  aliases: ['update'],
  summary: 'change the address of a hook, or the events that it sends',
  arguments: { hook: hookArgument },
  flags: {
    url: flag({ long: 'url', value: 'url', summary: 'the new address', read: nameText }),
    any: toggle({ long: 'any', summary: 'take the kinds, pets and category away; those that are given are new ones' }),
    ...filterFlags,
    noRows: toggle({ long: 'no-rows', summary: 'send an import, an undo or a closed count as one event again' }),
    dryRun,
    yes,
  },
  mutates: true,
  exits: ['hook_not_found', 'validation_failed', 'category_not_found', 'ambiguous_category', 'pet_not_found', 'ambiguous_pet'],
  columns: hookColumns,
  run: async (context, { hook, url, any, rows, noRows, batch, kind, low, pet, category, ...mutation }) => {
    if (rows === true && noRows === true) throw new StoreError('usage', 'Give --rows or --no-rows, not both.');
    requireChange([url, any, rows, noRows, batch, kind, low, pet, category], '--url, --any, --kind, --low, --pet, --category, --rows, --no-rows or --batch');
    const { call } = await context.shop();
    const changed = {
      url,
      batch,
      rows: noRows === true ? false : rows,
      ...(any === true && { kinds: null, petId: null, categoryId: null }),
      ...(await filterOf({ kind, low, pet, category }, call)),
    };
    await makeChange(context, mutation, {
      columns: hookColumns,
      make: (options, { hooks }) => hooks.edit(hook, changed, options),
      sentence: ({ id }, verb) => `${verb('Changed', 'Would change')} hook ${id}.`,
    });
  },
  examples: ['petstore hook edit 3 --kind sale --kind return', 'petstore hook edit 3 --any --url https://hooks.example.com/all'],
});

const hookDelete: Command = command({
  path: ['hook', 'delete'],
  aliases: ['remove', 'rm'],
  summary: 'delete a hook',
  arguments: { hook: hookArgument },
  flags: { dryRun, yes },
  mutates: true,
  exits: ['hook_not_found'],
  columns: hookColumns,
  run: async (context, { hook, ...mutation }) => {
    await makeChange(context, mutation, {
      columns: hookColumns,
      make: (options, { hooks }) => hooks.remove(hook, options),
      question: ([removed]) => `Delete hook ${hook} (${removed?.url})? What waits is not sent.`,
      sentence: ({ id }, verb) => `${verb('Deleted', 'Would delete')} hook ${id}.`,
    });
  },
  examples: ['petstore hook delete 3 --yes'],
});

const hookRotate: Command = command({
  path: ['hook', 'rotate'],
  summary: 'give a hook a new secret; for 24 hours the former one signs too',
  arguments: { hook: hookArgument },
  flags: { secretFile, dryRun, yes },
  mutates: true,
  exits: ['hook_not_found', 'validation_failed'],
  columns: newSecretColumns,
  run: async (context, { hook, secretFile: file, ...mutation }) => {
    const secret = await secretIn(context, file);
    const made = await makeConfirmed(
      context,
      mutation,
      ({ dryRun: tried }, { hooks }) => hooks.rotate(hook, secret, { dryRun: tried }),
      () => `Give hook ${hook} a new secret?`,
    );
    const changed = `Hook ${hook} has a new secret. The former one signs too for 24 hours.`;
    const sentence = mutation.dryRun === true ? `Would give hook ${hook} a new secret.` : changed;
    await showNewSecret(context, made, sentence, { isOwn: secret !== undefined, dryRun: mutation.dryRun });
  },
  examples: ['petstore hook rotate 3 --yes'],
});

const hookResend: Command = command({
  path: ['hook', 'resend'],
  summary: 'send a ledger entry and all that follow to a hook again',
  arguments: { hook: hookArgument },
  flags: {
    from: requiredFlag(
      {
        ...flag({ long: 'from', value: 'entry', summary: 'the first ledger entry to send', takesWord: true, read: idOf('entry') }),
        prompt: textPrompt('From which ledger entry?'),
      },
      { question: 'From which ledger entry?', example: '1208', source: 'petstore log shows all' },
    ),
    dryRun,
    yes,
  },
  mutates: true,
  exits: ['hook_not_found', 'entry_not_found'],
  columns: hookColumns,
  run: async (context, { hook, from, ...mutation }) => {
    await makeChange(context, mutation, {
      columns: hookColumns,
      make: (options, { hooks }) => hooks.resend(hook, from, options),
      question: ([moved]) => `Send hook ${hook} what happened from ledger entry ${from} on again (${pluralize(moved?.waiting ?? 0, 'entry', 'entries')})?`,
      sentence: ({ id, state }, verb) =>
        `${verb('Hook', 'Would move: hook')} ${id} goes on from ledger entry ${from}.${state === 'paused' ? ` It is paused: petstore hook resume ${id}.` : ''}`,
    });
  },
  examples: ['petstore hook resend 3 --from 1208 --yes'],
});

/** The commands that only the owner of the shop has, on its machine. */
export const ownerCommands: readonly Command[] = [hookCreate, hookEdit, hookDelete, hookRotate, hookResend];
