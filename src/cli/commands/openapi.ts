import { command, type Command } from '../command.js';
import { toggle } from '../flags.js';
import type { Setup } from '../program-setup.js';

/** The command that prints the document of the HTTP interface, as JSON whatever the format; `describe` makes the document. */
export function openapiCommands(describe: Setup['openapi']): readonly Command[] {
  return [
    command({
      words: 'openapi',
      summary: 'print the OpenAPI document of the HTTP interface',
      examples: ['petstore openapi', 'petstore openapi --stable-only > petstore.json'],
      flags: { stableOnly: toggle('--stable-only', 'leave beta and experimental operations out') },
      run: async ({ io }, _, { stableOnly }) => {
        const document = await describe({ stableOnly: stableOnly === true });
        await io.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      },
    }),
  ];
}
