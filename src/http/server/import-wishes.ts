import { importHeader, wishes } from '../contract/import-header.js';
import { StoreError } from '../../domain/errors.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import { headerText } from '../contract/headers.js';
import * as v from 'valibot';
import type { FastifyRequest } from 'fastify';

/** How a file is to be read, and what its sender wants to hear while it is. */
export interface ImportWishes {
  readonly file: Pick<ImportFile, 'map'> & Partial<Pick<ImportFile, 'name' | 'delimiter' | 'format'>>;
  readonly tell: readonly string[];
}

/** The wishes of our own client; everybody else has none. */
export function wishesIn({ headers }: Pick<FastifyRequest, 'headers'>): ImportWishes {
  const header = headers[importHeader];
  if (header === undefined) return { file: { map: new Map() }, tell: [] };
  let value: unknown;
  try {
    value = JSON.parse(headerText.read(String(header)));
  } catch {
    value = undefined;
  }
  const parsed = v.safeParse(wishes, value);
  if (!parsed.success) throw new StoreError('invalid_parameter', `${importHeader}: is not what petstore sends.`);
  const { name, delimiter, anyFormat, map, tell } = parsed.output;
  return { file: { name, delimiter, map: new Map(map), ...(anyFormat && { format: undefined }) }, tell };
}
