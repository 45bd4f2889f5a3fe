import path from 'node:path/posix';
import type { View } from './view.ts';

/** Environment, streams and files of a running command. */
export interface CommandContext {
  readonly view: View;
  readonly env: Map<string, string>;
  /** The working directory; `cd` changes it. */
  folder: string;
  readonly now: () => number;
  readonly size: () => { readonly columns: number; readonly rows: number } | undefined;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The next line of standard input; undefined at its end. */
  readonly line: () => Promise<string | undefined>;
  /** Waits `ms`; false when interrupted. */
  readonly sleep: (ms: number) => Promise<boolean>;
}

/** Runs a command with its words (name first); returns its exit code. */
export type Command = (context: CommandContext, words: readonly string[]) => number | Promise<number>;

const absolute = (context: CommandContext, name: string) => path.resolve(context.folder, name);

/** Entries of a directory, those of subdirectories with a trailing slash; undefined when it does not exist. */
function entries(view: View, folder: string): string[] | undefined {
  const prefix = folder === '/' ? '/' : `${folder}/`;
  const found = new Set<string>();
  for (const file of view.files.keys()) {
    if (!file.startsWith(prefix)) continue;
    const [first = '', ...deeper] = file.slice(prefix.length).split('/');
    found.add(deeper.length > 0 ? `${first}/` : first);
  }
  for (const folderPath of view.folders) {
    if (folderPath.startsWith(prefix)) found.add(`${folderPath.slice(prefix.length).split('/')[0] ?? ''}/`);
  }
  if (found.size === 0 && folder !== '/' && !view.folders.includes(folder)) return undefined;
  return Array.from(found).sort();
}

/** The parts of a date as `date` prints it: "Sun 01 Mar 2026 08:00:00". */
const parts = (time: number) => {
  const [weekday = '', date = '', month = '', year = '', clock = ''] = new Date(time)
    .toUTCString()
    .replace(',', '')
    .split(' ');
  return { weekday, date: date.replace(/^0/, ' '), month, year, clock };
};

const ls: Command = (context, words) => {
  const options = words.filter((word) => word.startsWith('-')).join('');
  const operands = words.filter((word) => !word.startsWith('-'));
  const long = options.includes('l');
  const isOnePerLine = long || options.includes('1');
  let code = 0;
  const row = (name: string, folder: string) => {
    if (!long) return name.replace(/\/$/, '');
    const size = context.view.files.get(path.join(folder, name))?.length ?? 4096;
    const mode = name.endsWith('/') ? 'drwxr-xr-x' : '-rw-r--r--';
    const { month, date: dayOfMonth, clock } = parts(context.view.started);
    const when = `${month} ${dayOfMonth} ${clock.slice(0, 5)}`;
    return `${mode}    1 root     root     ${String(size).padStart(9)} ${when} ${name.replace(/\/$/, '')}`;
  };
  const show = (rows: string[]) => {
    if (rows.length > 0)
      context.out(`${rows.join(isOnePerLine || context.size() === undefined ? '\n' : '  ')}\n`);
  };
  for (const name of operands.length === 0 ? ['.'] : operands) {
    const target = absolute(context, name);
    const inside = entries(context.view, target);
    if (inside === undefined && context.view.files.has(target)) show([row(target, '/')]);
    else if (inside === undefined) {
      context.err(`ls: ${name}: No such file or directory\n`);
      code = 1;
    } else {
      if (operands.length > 1) context.out(`${name}:\n`);
      const all = /[aA]/.test(options) ? inside : inside.filter((item) => !item.startsWith('.'));
      show(all.map((item) => row(item, target)));
    }
  }
  return code;
};

const cat: Command = async (context, words) => {
  let code = 0;
  if (words.length === 0 || words.includes('-')) {
    for (let line = await context.line(); line !== undefined; line = await context.line())
      context.out(`${line}\n`);
  }
  for (const name of words) {
    if (name === '-') continue;
    const target = absolute(context, name);
    const text = context.view.files.get(target);
    if (text !== undefined) context.out(text);
    else {
      const isFolder = entries(context.view, target) !== undefined;
      context.err(
        isFolder
          ? `cat: read error: Is a directory\n`
          : `cat: can't open '${name}': No such file or directory\n`,
      );
      code = 1;
    }
  }
  return code;
};

const date: Command = (context, words) => {
  const format = words.find((word) => word.startsWith('+'));
  const now = new Date(context.now());
  if (format === undefined) {
    const { weekday, month, date: dayOfMonth, clock, year } = parts(context.now());
    context.out(`${weekday} ${month} ${dayOfMonth} ${clock} UTC ${year}\n`);
  } else {
    const iso = now.toISOString();
    const codes: Readonly<Record<string, string>> = {
      s: String(Math.floor(context.now() / 1000)),
      F: iso.slice(0, 10),
      T: iso.slice(11, 19),
      Y: iso.slice(0, 4),
      m: iso.slice(5, 7),
      d: iso.slice(8, 10),
      H: iso.slice(11, 13),
      M: iso.slice(14, 16),
      S: iso.slice(17, 19),
      Z: 'UTC',
    };
    context.out(`${format.slice(1).replace(/%(\w)/g, (all, letter: string) => codes[letter] ?? all)}\n`);
  }
  return 0;
};

const echo: Command = (context, words) => {
  const options = /^-[ne]+$/.test(words[0] ?? '') ? (words[0] ?? '') : '';
  const text = words.slice(options === '' ? 0 : 1).join(' ');
  const codes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\u001b', '\\': '\\' };
  const unescaped = options.includes('e')
    ? text
        .replace(/\\(?:033|x1b)/g, '\u001b')
        .replace(/\\([ntre\\])/g, (all, letter: string) => codes[letter] ?? all)
    : text;
  context.out(options.includes('n') ? unescaped : `${unescaped}\n`);
  return 0;
};

const env: Command = (context, words) => {
  const [name] = words;
  if (name === undefined) for (const [key, value] of context.env) context.out(`${key}=${value}\n`);
  else if (context.env.has(name)) context.out(`${context.env.get(name) ?? ''}\n`);
  else return 1;
  return 0;
};

const ps: Command = (context) => {
  const { user, process } = context.view;
  context.out('PID   USER     TIME  COMMAND\n');
  context.out(`    1 ${user.padEnd(8)}  0:04 ${process}\n`);
  context.out(`   29 ${user.padEnd(8)}  0:00 sh\n   35 ${user.padEnd(8)}  0:00 ps\n`);
  return 0;
};

const stty: Command = (context, words) => {
  const size = context.size();
  if (size === undefined) {
    context.err('stty: standard input: Not a tty\n');
    return 1;
  }
  if (words[0] === 'size') context.out(`${size.rows} ${size.columns}\n`);
  return 0;
};

/** Programs in every container. Built-ins of the shell (cd, export, exit) are in shell.ts. */
export const commands: Readonly<Record<string, Command>> = {
  ls,
  cat,
  date,
  echo,
  env,
  ps,
  stty,
  hostname: (context) => (context.out(`${context.view.hostname}\n`), 0),
  pwd: (context) => (context.out(`${context.folder}\n`), 0),
  clear: (context) => (context.out('\u001b[H\u001b[2J'), 0),
  sleep: async (context, words) => {
    const seconds = Number(words[0]);
    if (!(seconds >= 0)) {
      context.err(`sleep: invalid number '${words[0] ?? ''}'\n`);
      return 1;
    }
    return (await context.sleep(seconds * 1000)) ? 0 : 130;
  },
  true: () => 0,
  false: () => 1,
};
