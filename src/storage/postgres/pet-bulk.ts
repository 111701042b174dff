import type { PetPort } from '../bulk/bulk-pets.js';
import { stagedPetColumns } from '../bulk/staged-pets.js';
import type { Engine } from '../engine.js';
import { stagedRowsLost } from '../errors.js';
import { sql } from '../sql.js';
import { copyLine } from './copy-rows.js';
import type { Staging } from './staging.js';
import { withPlanner } from './statements.js';

/** Characters of rows that are sent together. */
const textTogether = 1 << 19;

const names = stagedPetColumns.map(([name]) => name);

/** Sends rows to the staging table. Each part is stored as a whole; after a lost connection it is sent again unless it was stored. */
function sender(staging: Staging): { readonly send: (lines: string) => Promise<void>; readonly stored: () => number } {
  const run = staging.run();
  let stored = 0;
  let isUncertain = false;
  const send = (lines: string): Promise<void> =>
    staging.untilConnected(() =>
      staging.connected(async ({ queries, copy }) => {
        if (isUncertain) {
          const found = (await queries.get<{ readonly rows: number }>(sql`SELECT count(*) AS rows FROM staged_pets WHERE run = ${run}`))?.rows ?? 0;
          if (found < stored) throw stagedRowsLost(staging.where, stored, found);
          isUncertain = false;
          if (found > stored) {
            stored = found;
            return;
          }
        }
        isUncertain = true;
        const { write, end } = copy(['run', 'number', ...names]);
        await write(lines);
        stored += await end();
        isUncertain = false;
      }),
    );
  return { send, stored: () => stored };
}

/** New pets, staged as private rows of a table; one part is sent while the next is read. */
export function petPort(engine: Pick<Engine, 'write'>, staging: Staging): PetPort {
  const { send, stored } = sender(staging);
  let sending: Promise<void> = Promise.resolve();
  let lines = '';
  let hasCreated = false;
  const untilSent = (): Promise<void> =>
    sending.catch((error: unknown) => {
      throw staging.explain(error);
    });
  const sendLines = async (): Promise<void> => {
    await untilSent();
    if (lines === '') return;
    sending = send(lines);
    // The next await reports a failure.
    sending.catch(() => undefined);
    lines = '';
  };
  return {
    where: staging.where,
    run: staging.run(),
    add: async (rows) => {
      for (const row of rows) lines += copyLine(row);
      if (lines.length >= textTogether) await sendLines();
    },
    flush: async () => {
      await sendLines();
      await untilSent();
    },
    // The planner expects few staged rows, and would search the other rows for each.
    joining: (queries, work) => withPlanner(queries, ['enable_nestloop'], work),
    write: async (work, options) => {
      const result = await engine.write(work, options);
      hasCreated = options?.dryRun !== true;
      return result;
    },
    close: () => staging.close(hasCreated ? stored() : 0),
  };
}
