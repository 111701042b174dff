/** First words that are not commands, with the command that people mean by them. */
const meanings: Readonly<Record<string, readonly string[]>> = {
  sale: ['sell'],
  buy: ['sell'],
  checkout: ['sell'],
  delivery: ['receive'],
  restock: ['receive'],
  search: ['find'],
  add: ['pet', 'create'],
  new: ['pet', 'create'],
  create: ['pet', 'create'],
  get: ['pet', 'view'],
  show: ['pet', 'view'],
  view: ['pet', 'view'],
  update: ['pet', 'edit'],
  edit: ['pet', 'edit'],
  remove: ['pet', 'delete'],
  delete: ['pet', 'delete'],
  rm: ['pet', 'delete'],
  list: ['pet', 'list'],
  ls: ['pet', 'list'],
  hold: ['pet', 'hold'],
  release: ['pet', 'release'],
  stock: ['inventory', 'list'],
  count: ['inventory', 'set'],
  adjust: ['inventory', 'adjust'],
  import: ['inventory', 'import'],
  export: ['inventory', 'export'],
  place: ['order', 'place'],
  cancel: ['order', 'cancel'],
  return: ['order', 'reopen'],
  refund: ['order', 'reopen'],
  revert: ['undo'],
  rollback: ['undo'],
  history: ['log'],
  ledger: ['log'],
};

/** The command that people mean by a first word that is not one; undefined for a word that is not known. */
export function meantCommand(word: string): readonly string[] | undefined {
  return Object.hasOwn(meanings, word) ? meanings[word] : undefined;
}
