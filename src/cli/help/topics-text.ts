import { exitCodes } from '../output/error-report.js';

const formatting = `Formatting

  A terminal gets an aligned table: 30 rows, the columns that it has room for,
  times as people say them. A pipe gets every row as tab-separated values, no
  header, ISO times, and \\t \\n \\r \\\\ for what would break a line.

  --format table    the terminal view, also into a pipe
  --format tsv      tab-separated, no header but in an export
  --format csv      comma-separated with a header
  --format json     an array of records, or one record
  --format ndjson   one record a line
  --format ids      one id a line, ready for "petstore order complete -"
  --format count    just the number: how many there are, whatever -L says
  --fields a,b      these columns, in this order, in every format
  --json [a,b]      short for --format json [--fields a,b]

  JSON and NDJSON hold the record that the server answers too, which may have
  other fields than the columns. --fields makes every format hold the same.

  An export writes every row, as CSV: only --format or --json on its own line
  changes that. As CSV, TSV, JSON or NDJSON it is a file that the import reads.

  PETSTORE_FORMAT sets the format for every other command. Colour follows
  --color, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR=0 and
  TERM=dumb, for each stream on its own.
`;

const scripting = `Scripting

  Results go to standard output, everything else to standard error. Commands
  never ask without a terminal: the error names the flag that answers. Exit
  codes are stable (petstore help exit-codes).

  # Complete every open order of pet 7
  petstore order list --pet 7 --open --format ids | petstore order complete -

  # Act on an error by its code
  if ! error=$(petstore inventory set 7 12 --expect 10 --json 2>&1 >/dev/null)
  then
    echo "$error"        # {"error":{"code":"stock_changed","exitCode":4,...}}
  fi

  # Safe to repeat: the second run changes nothing
  petstore order place --pet 7 --key "web-order-4711"

  # By cron, each morning: a mail about pets that run low. 8: there are some
  # 0 7 * * *  /srv/low-stock.sh
  low=$(petstore inventory list --low --exit-status --format csv)
  case $? in
    0) ;;
    8) echo "$low" | mail -s "Low stock" ana@shop.example ;;
    *) exit 1 ;;         # the error stands on standard error, which cron mails
  esac

  "-" stands for ids on standard input, for a file to import too. --quiet
  leaves errors only on standard error. --dry-run does everything and keeps
  nothing. --wait 30 waits longer for a store that is being written. "petstore
  commands --json" tells a program every command with its arguments, flags,
  fields and exit codes.
`;

const importing = `Bulk updates

  petstore inventory import FILE takes CSV, TSV, NDJSON or a JSON array; "-"
  or a pipe is standard input. Columns: petId and either quantity (a counted
  figure) or delta (a change); optionally expected and note.

    petId,quantity            petId,delta            petId,expected,quantity
    7,12                      7,+5                   7,10,12
    8,0                       9,-1                   8,1,0

  A file is applied whole or not at all, while other commands go on. Killed at
  any moment, all of it happened or nothing did: run it again.

  # A recount: export, edit the quantity column, look, import, take it back
  petstore inventory export --category Fish > count.csv
  petstore inventory diff count.csv      # exit code 8: it has changes
  petstore inventory import count.csv --note "night count"
  petstore inventory undo 41             # a batch; --entry 1208: a ledger entry

  # A delivery: applied once, however often it is sent; --wait 60 waits a minute
  petstore inventory import delivery.csv --key "invoice 4711" --wait 60
  # Exit codes: 0 applied, now or before; 4, 6 refused, nothing was changed;
  # 5 some rows refused; 7 busy: try again later

  # Bad rows: apply the others, mend these, import them
  petstore inventory import delivery.csv --keep-going --rejects bad.csv
  petstore inventory import bad.csv

  A row with an expected figure is refused when another one is on hand, so
  that nothing is overwritten unseen. --on-stale keep-count sets the counted
  figure all the same; keep-difference moves what is on hand by quantity -
  expected, and should have a --key, because sent twice it would move twice.
  An empty optional cell is not given; a JSON null or "" is an error of its
  row. A file may have 20,000,000 rows and 4 GiB, unpacked.

  Every bad row is named with its line. --max-errors N bounds how many may be
  bad, --rejects writes them back with _line, _code and _message. --dry-run
  shows what would happen. --format csv, tsv or ids lists what changes, count
  says how much it is. --map "Their Header=quantity" renames a column.
  "export --spreadsheet" guards cells that a spreadsheet would run as a
  formula; the import takes the guard off.

  A file of changes is known by its bytes, or by its --key: the same again
  changes nothing and says when it was applied, or tries only the rows that
  were refused. A deliberate repeat takes a new --key, and so does another
  file or request. A key belongs to one --actor, the bytes of a file to all.
  "petstore inventory batch list" shows every import, also the refused ones.

  petstore pet import FILE creates pets: name and category (an id or a name),
  optionally status and quantity. --create-categories creates the categories
  the shop lacks. A file of "petstore pet export" sets up the same pets
  elsewhere; the pending ones are on hold there, because no order comes along.
`;

const environment = `Environment

  PETSTORE_STORE      the file the shop lives in, or the address of its server
                      or database; --store goes before it
  PETSTORE_PROFILE    the profile to use; -P goes before it
  PETSTORE_CONFIG     the file that settings and profiles are kept in
  PETSTORE_TOKEN      the token for a server ("petstore token create" makes one)
  PETSTORE_FORMAT     the output format, except of an export; --format goes
                      before it
  PETSTORE_ACTOR      who the ledger names; --actor goes before it, the login
                      name comes last
  PETSTORE_NO_INPUT   never ask a question; so does CI
  PETSTORE_PAGER      the program that shows long tables page by page, before
                      PAGER; empty or "cat" for none
  NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM=dumb
                      colour, where --color does not decide

  Flags go before the environment, the environment before the profile in use,
  that before the file of settings. "petstore config list" shows each setting
  and where it comes from.
`;

const stores = `Stores

  A shop lives in one SQLite file, by default in the data folder of the user.
  --store PATH, PETSTORE_STORE or a profile (petstore help settings) names
  another, and "petstore status" says where the present one is. Only "petstore
  init" makes one; a missing file is never created by accident.

  Several commands may work on a shop at the same time: writers take turns and
  readers are never kept waiting. --wait says how many seconds to wait for a
  turn (5). The file is readable by its owner only.

  It can live in a PostgreSQL database instead: --store
  postgres://USER@HOST:5432/NAME. The database must be there; "petstore init"
  makes the tables. The password stands in the address, best given by
  PETSTORE_STORE, or in PGPASSWORD or ~/.pgpass, and is never shown;
  sslmode=verify-full in the address asks for a safe connection.

  "petstore copy" moves a shop between files and databases, in every
  direction, to where none is yet:

    petstore copy --from shop.db --to postgres://USER@HOST:5432/NAME
    petstore copy --from postgres://USER@HOST:5432/NAME --to shop.db

  It copies what stood there when it began; others may go on. Killed at any
  moment it leaves the new place empty: run it again. The address of a server
  is refused: run it where the shop lives.

  "petstore serve" opens a shop to others over HTTP. Its address stands
  wherever a path does, and the same commands give the same output and exit
  codes:

    petstore token create ana --scope admin    # where the shop is served
    export PETSTORE_STORE=https://shop.example PETSTORE_TOKEN=pst_...
    petstore pet list                          # anywhere

  The ledger names the token then, not --actor. init, copy, serve, token,
  backup, restore and doctor work where the shop lives only. A change that
  finds the connection lost is asked again, for as long as --wait says, and
  never happens twice; an import is run again by you. A token travels to
  another machine over https only, unless --insecure accepts that others may
  read it.
`;

const settings = `Settings and profiles

  A profile is a shop by a name, with what goes with it. One is used once with
  -P, or until further notice:

    petstore profile add till --store /srv/shop.db --actor till
    petstore profile add books --store https://shop.example \\
      --token-file ~/.petstore-token --readonly
    petstore -P books status
    petstore profile use till              # "profile use --none" ends it

  Settings are kept for every command to come: store, actor, format, color,
  pager, wait, no-input and profile.

    petstore config set format csv         # with --unset, and no value: no more
    petstore config list                   # each setting, and where it is from

  The first of these that says something counts: a flag, the environment, the
  profile in use, the settings, the default. A profile named with -P is a
  flag: what it says goes before the environment, but not before --store,
  --actor and --format. --no-profile uses none.

  A read-only profile refuses whatever would change its shop, also "init" and
  "serve"; --dry-run still shows what would happen. Questions before something
  that cannot be taken back name the shop and its profile.

  Both are kept in one JSON file, which "petstore config path" names and
  PETSTORE_CONFIG can move. It may be edited by hand: a path in it begins at
  its folder, or at home with "~/". Several commands may change it at the same
  time.

  No secret is kept in it. --token-file names a file that its owner alone may
  read, --token-command a command line for the shell whose output is the
  token, such as "pass show petstore"; the token is sent to the shop of its
  profile only. The password of a database stands in PGPASSWORD or ~/.pgpass.

  A table that outgrows the terminal is shown by a pager: PETSTORE_PAGER,
  PAGER, the setting "pager", or less. Empty or "cat" is none, and so is
  --no-pager.
`;

const backups = `Backups

  petstore backup FILE writes the shop as it is to a file of its own, while
  others go on, and its SHA-256 to FILE.sha256. --force replaces an older one.
  There is never half a backup, and only its owner may read it.

    petstore backup /backup/shop-$(date +%F).db    # every night, by cron

  petstore restore FILE makes the shop what it was then, in one step: programs
  that have it open go on and see it before or after. It asks first; --yes
  answers, --dry-run only looks. What the shop was is kept beside it, and
  restore takes that file too. The ledger says that the shop was restored.
  Tokens stay as they are: one revoked stays revoked.

  petstore doctor looks at the figures, the ledger, the file and its disk;
  exit code 1 when a check fails. --repair sets stock to what the ledger says,
  makes triggers and indexes again, and lets only the owner read the file. It
  guesses nothing: where ledger entries are missing, or the file is damaged,
  restore a backup.

  They work where the shop lives, not through the address of a server. For a
  PostgreSQL database use pg_dump, or "petstore copy" to a file; doctor checks
  it too.
`;

const meanings: ReadonlyMap<number, string> = new Map([
  [0, 'done; also when there was nothing to do'],
  [1, 'an unexpected failure, or a result that could not be written'],
  [2, 'the words of the command are wrong, or it needs an answer and cannot ask'],
  [3, 'not found'],
  [4, 'a conflict with the state of the shop'],
  [5, 'an import applied some rows and refused others'],
  [6, 'invalid data; nothing was written'],
  [7, 'the store is busy, missing, unreachable, unreadable or too new'],
  [8, 'inventory diff found changes, or inventory list --exit-status found pets'],
  [9, 'the server does not let you: no token, a wrong one, or not enough of one'],
  [130, 'interrupted, or a question was answered with no'],
]);

function exitCodeTopic(): string {
  const codes = exitCodes();
  const lines = [...meanings].map(([exitCode, meaning]) => {
    const list = (codes.get(exitCode) ?? []).join(', ');
    return `  ${String(exitCode).padStart(3)}  ${meaning}${list === '' ? '' : `\n       ${wrap(list)}`}`;
  });
  return `Exit codes\n\n${lines.join('\n')}\n\n  A closed pipe ("| head") is 0.\n`;
}

const lineWidth = 72;

function wrap(list: string): string {
  let line = '';
  const lines: string[] = [];
  for (const word of list.split(' ')) {
    if (line.length + word.length > lineWidth) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].join('\n       ');
}

/** The text of a help topic, or undefined when there is no such topic. */
export function topic(name: string): string | undefined {
  const texts: Record<string, () => string> = {
    formatting: () => formatting,
    scripting: () => scripting,
    import: () => importing,
    'exit-codes': exitCodeTopic,
    environment: () => environment,
    stores: () => stores,
    settings: () => settings,
    backups: () => backups,
  };
  return texts[name]?.();
}
