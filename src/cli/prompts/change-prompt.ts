import type { Prompt } from './prompt.js';

/** A value that can be changed: what it is called, and how its new value is asked for. */
interface Changeable<Given> {
  readonly label: string;
  readonly ask: Prompt<Given>['ask'];
}

/**
 * Asks what to change, and for its new value. It belongs to the first of these values, and is asked only while all of them are
 * missing.
 */
export function changePrompt<Name extends string, Given = unknown>(values: Readonly<Record<Name, Changeable<Given>>>): Prompt<Given, Name> {
  const entries = Object.entries<Changeable<Given>>(values);
  return {
    onlyWithout: entries.map(([name]) => name),
    ask: async (dialogue, given) => {
      const choices = entries.map(([name, { label, ask }]) => ({ name: label, value: { name, ask } }));
      const { name, ask } = await dialogue.choose('What would you like to change?', choices);
      const answer = await ask(dialogue, given);
      return { [name]: answer } as Readonly<Partial<Record<Name, string>>>;
    },
  };
}
