/** The commands that people mean by first words that are not commands. */
const meantBy: Readonly<Record<string, readonly string[]>> = {
  sell: ['sale', 'buy', 'checkout'],
  receive: ['delivery', 'restock'],
  find: ['search'],
  undo: ['revert', 'rollback'],
  log: ['history', 'ledger'],
  'pet create': ['add', 'new', 'create'],
  'pet view': ['get', 'show', 'view'],
  'pet edit': ['update', 'edit', 'rename'],
  'pet delete': ['remove', 'delete', 'rm'],
  'pet list': ['list', 'ls'],
  'pet hold': ['hold'],
  'pet release': ['release'],
  'inventory list': ['stock'],
  'inventory adjust': ['adjust'],
  'inventory import': ['import'],
  'inventory export': ['export'],
  'inventory batch list': ['batch', 'batches'],
  'order place': ['place'],
  'order complete': ['complete'],
  'order reopen': ['reopen'],
  'order cancel': ['cancel'],
};

/** The command that people mean by a first word that is not one; undefined for a word that is not known. */
export function meantCommand(word: string): readonly string[] | undefined {
  return Object.entries(meantBy)
    .find(([, words]) => words.includes(word))?.[0]
    .split(' ');
}
