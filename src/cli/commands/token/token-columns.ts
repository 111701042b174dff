import type { Token } from '../../../domain/tokens/token.js';
import { isJson, type Format } from '../../../settings/output-format.js';
import type { TimeZone } from '../../../domain/values/time-zone.js';
import { listTime } from '../../output/time-text.js';
import type { Columns } from '../../output/view.js';

/** A token; `token` is its text, known only when it is created. */
export interface TokenRow extends Token {
  readonly token?: string;
}

/** The fields of a token. */
export const tokenFields = ['id', 'name', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt'];

/** The columns of tokens. Scopes are a list in JSON, otherwise a text as --scope takes it. */
export function tokenColumns(format: Format | undefined): Columns<TokenRow> {
  const time = (name: 'createdAt' | 'lastUsedAt' | 'expiresAt', heading: string) => ({
    name,
    heading,
    value: (row: TokenRow) => row[name],
    text: ({ [name]: at }: TokenRow, now: number, zone: TimeZone) => (at === undefined ? '' : listTime(at, now, zone)),
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
    shown: tokenFields,
    json: tokenFields,
    id: 'id',
  };
}
