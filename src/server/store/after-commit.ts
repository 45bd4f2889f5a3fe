import type { Database, Transaction } from './store.ts';

type Task = () => void;

/** Tasks that wait for the commit of each open transaction. */
const waiting = new WeakMap<object, Task[]>();

/**
 * Runs a task once the transaction is committed, with all that it is nested in; never where it is undone.
 * @param tx of a database of `withCommitTasks`
 */
export function afterCommit(tx: Transaction, task: Task): void {
  const tasks = waiting.get(tx);
  if (tasks === undefined) throw new Error('This transaction does not say when it is committed.');
  tasks.push(task);
}

/** The same database, whose transactions run what waits for their commit. */
export function withCommitTasks(db: Database): Database {
  const begin = db.transaction.bind(db);
  db.transaction = async (work, config) => {
    const tasks: Task[] = [];
    const result = await begin(async (tx) => await work(gatherTasks(tx, tasks)), config);
    for (const task of tasks) task();
    return result;
  };
  return db;
}

/** The transaction itself; what waits for it is gathered in `tasks`. */
function gatherTasks(tx: Transaction, tasks: Task[]): Transaction {
  waiting.set(tx, tasks);
  const nest = tx.transaction.bind(tx);
  tx.transaction = async (work) => {
    const inner: Task[] = [];
    const result = await nest(async (nested) => await work(gatherTasks(nested, inner)));
    tasks.push(...inner);
    return result;
  };
  return tx;
}
