import { command } from '../declare-command.js';
import type { Command } from '../command.js';
import { toggle } from '../flags.js';

/** The command `openapi`. */
export const openapiCommand: Command = command({
  path: ['openapi'],
  summary: 'print the OpenAPI document of the HTTP interface',
  flags: { stableOnly: toggle({ long: 'stable-only', summary: 'leave out beta and experimental operations' }) },
  run: async ({ io, setup }, { stableOnly }) => {
    const document = await setup.openapi({ stableOnly: stableOnly === true });
    await io.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  },
  examples: ['petstore openapi', 'petstore openapi --stable-only > petstore.json'],
});
