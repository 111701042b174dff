import { StoreError } from '../../domain/errors.js';
import { didYouMean } from '../../domain/values/suggest.js';
import { expiryOf } from '../../domain/tokens/token-expiry.js';
import { scopes, type Scope, type Token } from '../../domain/tokens/token.js';
import { command, mutationFlags, required, type Command, type Context } from '../command.js';
import { flag, repeatedFlag, text } from '../flags.js';
import { isJson, type Format } from '../../settings/output-format.js';
import { once, showChange, showRecords } from '../record-command.js';
import { chosen, relativeTime, writeIds, writeRows, writeTable, type Columns } from '../output/view.js';

/** A token, and right after it was made its text. */
interface Row extends Token {
  readonly token?: string;
}

const shown = ['id', 'name', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt'];

/** The columns of tokens. The scopes are a list in JSON; elsewhere they stand as --scope takes them. */
function columnsIn(format: Format | undefined): Columns<Row> {
  const time = (name: 'createdAt' | 'lastUsedAt' | 'expiresAt', heading: string) => ({
    name,
    heading,
    value: (row: Row) => row[name],
    text: ({ [name]: at }: Row, now: number) => (at === undefined ? '' : relativeTime(at, now)),
  });
  return {
    all: [
      { name: 'id', heading: 'ID', value: ({ id }) => id, numeric: true },
      { name: 'name', heading: 'Name', least: 8, value: ({ name }) => name },
      { name: 'scopes', heading: 'Scopes', least: 12, leaveOut: 1, value: ({ scopes: granted }) => (isJson(format) ? granted : granted.join(',')) },
      time('createdAt', 'Created'),
      time('lastUsedAt', 'Last used'),
      time('expiresAt', 'Expires'),
    ],
    shown,
    json: shown,
    id: 'id',
  };
}

/** The same with the text, which stands alone where nothing else is asked for. */
function newColumnsIn(format: Format | undefined): Columns<Row> {
  const columns = columnsIn(format);
  return { ...columns, all: [...columns.all, { name: 'token', heading: 'Token', value: ({ token }) => token }], shown: ['token'], json: [...shown, 'token'] };
}

// No --key: the answer kept for a repeat would hold the secret. No --note: the ledger is about pets, orders and stock.
const { dryRun, yes } = mutationFlags;

function scopeList(value: string, name: string): readonly Scope[] {
  return value.split(',').map((word) => {
    const found = scopes.find((scope) => scope === word.trim());
    if (found !== undefined) return found;
    throw new StoreError('usage', `${name} takes one or more of ${scopes.join(', ')}, not "${word}"${didYouMean(word, scopes)}`);
  });
}

function expiry(value: string, now: number): string {
  const found = expiryOf(value, now);
  if (found !== undefined) return found;
  throw new StoreError('usage', `--expires takes a time, a day such as 2026-12-31 or a span such as 12h, 90d or 8w, not "${value}".`);
}

/** Shows a new token: its text alone, ready for `$( )`, unless a format asks for more. */
async function showNew(context: Context, row: Row): Promise<void> {
  const { settings } = context;
  const format = settings.format ?? 'tsv';
  await showRecords({ ...context, settings: { ...settings, format } }, { columns: newColumnsIn(format) }, [row], false);
  await context.note('The token is shown only this once; keep it like a password.');
  await context.note('Commands take it as PETSTORE_TOKEN=…, requests over HTTP as the header "Authorization: Bearer …".');
}

async function showList({ io, settings, paint, note }: Context, rows: readonly Token[]): Promise<void> {
  const format = settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
  const columns = columnsIn(format);
  const asked = chosen(columns, settings.fields, format);
  if (format === 'count') return io.stdout.write(`${rows.length}\n`);
  if (format === 'ids') return writeIds(io.stdout, columns, once(rows));
  if (format !== 'table') return writeRows(io.stdout, format, asked, once(rows));
  await writeTable(io.stdout, asked, rows, { paint, now: io.now(), note });
  if (rows.length === 0) await note('Nothing found.');
}

/** The commands of tokens. */
export const tokenCommands: readonly Command[] = [
  command({
    words: 'token create <name>',
    summary: 'make an access token; its text is shown only once',
    examples: ['petstore token create till --scope store:write', 'petstore token create website --scope pets:read,store:read --expires 90d'],
    flags: {
      scope: repeatedFlag('--scope <a,b>', `what it is allowed: ${scopes.join(', ')}`, scopeList),
      expires: flag('--expires <when>', 'until when it is good: a time, a day, or a span such as 12h, 90d, 8w', text),
      dryRun,
      yes,
    },
    fields: newColumnsIn(undefined).all.map(({ name }) => name),
    mutates: true,
    run: async (context, [name = ''], { scope, expires, dryRun: dry }) => {
      const { io, settings, shop } = context;
      const columns = newColumnsIn(settings.format);
      // Before the token is made: once it is there, nothing may keep its text from being shown.
      chosen(columns, settings.fields, settings.format ?? 'tsv');
      const draft = { name, scopes: required(scope, '--scope').flat(), expiresAt: expires === undefined ? undefined : expiry(expires, io.now()) };
      const { token, text: secret } = await (await shop()).tokens.create(draft, { dryRun: dry });
      if (dry === true) return showChange(context, { columns }, [token], false, ({ id }) => `Token ${id} (${token.name}) is made.`, dry);
      await showNew(context, { ...token, token: secret });
    },
  }),
  command({
    words: 'token list',
    summary: 'list the tokens that were not revoked',
    examples: ['petstore token list', 'petstore token list --json name,lastUsedAt'],
    fields: shown,
    run: async (context) => {
      chosen(columnsIn(undefined), context.settings.fields, 'tsv');
      await showList(context, await (await context.shop()).tokens.list());
    },
  }),
  command({
    words: 'token revoke <name>',
    summary: 'make a token worthless for ever',
    examples: ['petstore token revoke till --yes', 'petstore token revoke till --dry-run'],
    flags: { dryRun, yes },
    fields: shown,
    mutates: true,
    endings: ['token_not_found'],
    run: async (context, [name = ''], mutation) => {
      const columns = columnsIn(context.settings.format);
      chosen(columns, context.settings.fields, 'tsv');
      await context.confirm(`Revoke the token ${name}?`, mutation);
      const revoked = await (await context.shop()).tokens.revoke(name, { dryRun: mutation.dryRun });
      await showChange(context, { columns }, [revoked], false, ({ id }) => `Token ${id} (${revoked.name}) is revoked.`, mutation.dryRun);
    },
  }),
];
