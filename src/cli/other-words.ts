/** The commands that people mean by words that are not commands. */
const meantBy: Readonly<Record<string, readonly string[]>> = {
  sell: ['sale', 'buy', 'checkout', 'pet sell', 'order sell'],
  receive: ['delivery', 'restock', 'pet receive', 'inventory receive', 'inventory add'],
  return: ['refund', 'order return', 'pet return'],
  find: ['search', 'pet find', 'pet search', 'inventory find'],
  undo: ['revert', 'rollback', 'order undo', 'pet undo'],
  log: ['history', 'ledger', 'pet log', 'pet history', 'order log', 'inventory log', 'inventory history'],
  count: ['inventory count'],
  'pet create': ['add', 'new', 'create'],
  'pet view': ['get', 'show', 'view'],
  'pet edit': ['update', 'edit', 'rename'],
  'pet delete': ['remove', 'delete', 'rm'],
  'pet list': ['list', 'ls'],
  'pet hold': ['hold'],
  'pet release': ['release'],
  'inventory list': ['stock', 'report inventory'],
  'inventory list --low': ['report low', 'report low-stock', 'inventory low'],
  'report movements': ['sales', 'report sales', 'inventory report'],
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
  topics: ['guide', 'manual', 'docs'],
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

/** The command that people mean by words that are not one; undefined for words that are not known. */
export const meantCommand = (words: string): readonly string[] | undefined => meantIn(meantBy, words)?.split(' ');

/** The chapter that people mean by a word that is not one; undefined for a word that is not known. */
export const meantChapter = (word: string): string | undefined => meantIn(chaptersMeantBy, word);
