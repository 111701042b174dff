import type { Queries } from '../queries.js';
import type { Sql } from '../sql.js';
import type { Subject } from '../subjects.js';

/** How the rows of a read are returned. */
export type RowForm = 'all' | 'rows' | 'get';

/** A read that was sent, or waits to be sent. */
export interface Read {
  readonly query: Sql;
  readonly form: RowForm;
  /** Its position in the order of all statements and answers. */
  readonly position: number;
  /** What its answer depends on; complete once it is answered. */
  subjects: readonly Subject[];
  /** Undefined until the answer has arrived. */
  answer: { readonly value: unknown } | undefined;
}

type Statement = Read | { readonly change: Sql };

/** The statements of a group of writes, sent without waiting for each answer, and the answers. One for each transaction. */
export interface StatementExchange {
  /** A position after all earlier ones. */
  readonly nextPosition: () => number;
  /** The same read if it was asked before and nothing that it depends on has changed since. */
  readonly find: (query: Sql, form: RowForm) => Read | undefined;
  /** Adds a read to the statements that wait to be sent. */
  readonly ask: (query: Sql, form: RowForm) => Read;
  /** Whether something that a read depends on has changed since. */
  readonly isStale: (read: Read) => boolean;
  /** Adds changes to those that wait to be sent. */
  readonly add: (changes: readonly Sql[]) => void;
  /** Sends the waiting statements; settles with their answers, or with the first error. */
  readonly send: () => Promise<void>;
}

function keyOf({ text, values }: Sql, form: RowForm): string {
  return [form, text, ...values.map((value) => `${typeof value} ${String(value)}`)].join('\0');
}

/** The first error in the order of the statements: the later ones only report that the transaction has failed. */
async function allAnswered(answers: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(answers)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** An exchange over the queries of a transaction. */
export function statementExchange(queries: Queries): StatementExchange {
  let position = 0;
  let waiting: Statement[] = [];
  const reads = new Map<string, Read>();
  const lastChange = new Map<Subject, number>();
  const isStale = (read: Read): boolean => read.subjects.some((subject) => (lastChange.get(subject) ?? 0) > read.position);
  const sendOne = async (statement: Statement): Promise<void> => {
    if ('change' in statement) return void (await queries.run(statement.change));
    const { query, form } = statement;
    const value: unknown = await queries[form](query);
    const row = form === 'get' && value !== undefined ? query.declaration?.inRow?.(value as Readonly<Record<string, unknown>>) : undefined;
    if (row) statement.subjects = [...statement.subjects, ...row];
    statement.answer = { value };
  };
  return {
    nextPosition: () => (position += 1),
    isStale,
    find: (query, form) => {
      const read = reads.get(keyOf(query, form));
      return read && !isStale(read) ? read : undefined;
    },
    ask: (query, form) => {
      const read: Read = { query, form, position: (position += 1), subjects: query.declaration?.subjects ?? [], answer: undefined };
      reads.set(keyOf(query, form), read);
      waiting.push(read);
      return read;
    },
    add: (changes) => {
      position += 1;
      for (const subject of changes.flatMap(({ declaration }) => declaration?.subjects ?? [])) lastChange.set(subject, position);
      waiting.push(...changes.map((change) => ({ change })));
    },
    send: () => {
      const sent = waiting;
      waiting = [];
      return allAnswered(sent.map(sendOne));
    },
  };
}
