import { StoreError } from '../../../domain/errors.js';
import { expiryOf } from '../../../domain/tokens/token-expiry.js';
import { type Scope, type Token, scopes } from '../../../domain/tokens/token.js';
import { didYouMean } from '../../../domain/values/suggest.js';
import type { LocalClock } from '../../../domain/values/typed-time.js';
import { argument } from '../../arguments.js';
import type { Command } from '../../command.js';
import { completeList } from '../../completion/completers.js';
import { command } from '../../declare-command.js';
import { flag, repeatedFlag, requiredFlag } from '../../flags.js';
import { mutationFlags } from '../../mutation-flags.js';
import { type Columns, columnsOf, showList } from '../../output/view.js';
import { namePrompt, textPrompt } from '../../prompts/shared-prompts.js';
import { refusalText } from '../../prompts/text-problems.js';
import { typedTimes } from '../../readers.js';
import { makeChange, showChange, showSecret } from '../../record-command.js';
import { textArgument, tokenArgument } from '../../shared-arguments.js';

/** A token; `token` is its text, known only when it is created. */
interface TokenRow extends Token {
  readonly token?: string;
}

const tokenColumns = columnsOf<TokenRow, keyof Token>({
  id: { heading: 'ID', numeric: true },
  name: { heading: 'Name', least: 8 },
  scopes: { heading: 'Scopes', least: 12, leaveOut: 1, cell: ({ scopes: granted }) => granted.join(',') },
  createdAt: { heading: 'Created', time: true },
  lastUsedAt: { heading: 'Last used', time: true },
  expiresAt: { heading: 'Expires', time: true },
});

/** The columns of a new token; without --fields only its text is shown. */
const newTokenColumns: Columns<TokenRow> = {
  ...tokenColumns,
  all: [...tokenColumns.all, { name: 'token', heading: 'Token', value: ({ token }) => token }],
  shown: ['token'],
  json: [...tokenColumns.json, 'token'],
};

function scopeList(value: string, name: string): readonly Scope[] {
  return value.split(',').map((word) => {
    const found = scopes.find((scope) => scope === word.trim());
    if (found !== undefined) return found;
    throw new StoreError('usage', `${name} takes one or more of ${scopes.join(', ')}, not "${word}"${didYouMean(word, scopes)}`);
  });
}

function expiry(value: string, _: string, { now, zone }: LocalClock): string {
  const found = expiryOf(value, now, zone);
  if (found !== undefined) return found;
  throw new StoreError(
    'usage',
    `--expires takes a day such as 2026-12-31, a duration such as 12h, 90d or 8w, or a time such as ${typedTimes}, not "${value}".`,
  );
}

const tokenCreate = command({
  path: ['token', 'create'],
  aliases: ['add', 'new'],
  summary: 'create an access token; it is shown only once',
  arguments: { name: argument({ ...textArgument, prompt: namePrompt('Name of the token:') }) },
  flags: {
    scope: requiredFlag(
      {
        ...repeatedFlag({
          long: 'scope',
          value: 'scopes',
          summary: `what it allows, separated by commas: ${scopes.join(', ')}`,
          takesWord: true,
          read: scopeList,
          complete: completeList(scopes),
        }),
        prompt: textPrompt(`What it allows (${scopes.join(', ')}):`, (text) => refusalText(() => scopeList(text, 'It'))),
      },
      { question: 'Which scope?', example: 'store:write', source: `there are ${scopes.join(', ')}` },
    ),
    expires: flag({ long: 'expires', value: 'when', summary: 'when it expires: a time, a day, or a duration such as 12h, 90d, 8w', read: expiry }),
    // No --key: the stored answer would hold the secret. No --note: the ledger has no entries for tokens.
    dryRun: mutationFlags.dryRun,
    yes: mutationFlags.yes,
  },
  mutates: true,
  // Checked before the token is made: an unknown field must not hide its text.
  columns: newTokenColumns,
  run: async (context, { name, scope, expires, dryRun: dry }) => {
    const draft = { name, scopes: scope.flat(), expiresAt: expires };
    const { token, text: secret } = await (await context.shop()).tokens.create(draft, { dryRun: dry });
    if (dry === true) {
      return showChange(context, { columns: newTokenColumns, rows: [token], sentence: ({ id }) => `Would create token ${id} (${token.name}).`, dryRun: dry });
    }
    await showSecret(context, newTokenColumns, { ...token, token: secret }, [
      'The token is shown only once; keep it as safe as a password.',
      'Use it as PETSTORE_TOKEN=… for commands, or in the header "Authorization: Bearer …" for HTTP requests.',
    ]);
  },
  examples: ['petstore token create till --scope store:write', 'petstore token create website --scope pets:read,store:read --expires 90d'],
});

const tokenList = command({
  path: ['token', 'list'],
  aliases: ['ls'],
  summary: 'list tokens that are not revoked',
  columns: tokenColumns,
  run: async (context) => showList(context, tokenColumns, await (await context.shop()).tokens.list()),
  examples: ['petstore token list', 'petstore token list --json name,lastUsedAt'],
});

const tokenRevoke = command({
  path: ['token', 'revoke'],
  aliases: ['remove', 'delete', 'rm'],
  summary: 'revoke a token',
  arguments: { name: tokenArgument },
  flags: { dryRun: mutationFlags.dryRun, yes: mutationFlags.yes },
  mutates: true,
  exits: ['token_not_found'],
  columns: tokenColumns,
  run: async (context, { name, ...mutation }) => {
    await makeChange(context, mutation, {
      columns: tokenColumns,
      make: (options, { tokens }) => tokens.revoke(name, options),
      question: () => `Revoke the token ${name}?`,
      sentence: (revoked, verb) => `${verb('Revoked', 'Would revoke')} token ${revoked.id} (${revoked.name}).`,
    });
  },
  examples: ['petstore token revoke till --yes', 'petstore token revoke till --dry-run'],
});

/** The commands of tokens. */
export const tokenCommands: readonly Command[] = [tokenCreate, tokenList, tokenRevoke];
