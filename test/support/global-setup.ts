import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../src/storage/postgres/engine.js';
import { ensureBuilt } from './program.js';
import { canStart, shareFiles, startPostgres } from './postgres-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a PostgreSQL server; empty without one. */
    readonly postgres: string;
  }
}

/** Creates the template that every shop of a test run is copied from. */
async function makeTemplate(address: string): Promise<void> {
  const admin = new pg.Client(address);
  await admin.connect();
  await admin.query('DROP DATABASE IF EXISTS petstore_template');
  await admin.query('CREATE DATABASE petstore_template TEMPLATE template0');
  await admin.end();
  const url = new URL(address);
  url.pathname = '/petstore_template';
  await (await openPostgres(url.href, { where: '', create: true, waitSeconds: 30 })).close();
}

/** Builds the program if it was not built, and starts one PostgreSQL for a test run, or uses the one of PETSTORE_TEST_PG_URL. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  ensureBuilt();
  const given = process.env['PETSTORE_TEST_PG_URL'];
  const removeFiles = canStart() ? await shareFiles() : undefined;
  const server = given === undefined && canStart() ? await startPostgres() : undefined;
  const address = given ?? server?.urlOf('postgres') ?? '';
  provide('postgres', address);
  if (address !== '') await makeTemplate(address);
  return async () => {
    await server?.stop();
    await removeFiles?.();
  };
}
