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

/** The chapters of the guide that people mean by other words. */
const chaptersMeantBy: typeof meantBy = {
  codes: ['labels', 'barcode', 'barcodes', 'scanner', 'scanners'],
  events: ['event', 'webhooks'],
  imports: ['csv'],
  serving: ['http', 'api', 'rest'],
  postgresql: ['postgres', 'database'],
  installation: ['install'],
};

function meantIn(table: typeof meantBy, word: string): string | undefined {
  return Object.entries(table).find(([, words]) => words.includes(word))?.[0];
}

/** The command that people mean by a first word that is not one; undefined for a word that is not known. */
export const meantCommand = (word: string): readonly string[] | undefined => meantIn(meantBy, word)?.split(' ');

/** The chapter that people mean by a word that is not one; undefined for a word that is not known. */
export const meantChapter = (word: string): string | undefined => meantIn(chaptersMeantBy, word);
