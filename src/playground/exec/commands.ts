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
export type Command = (hands: CommandContext, words: readonly string[]) => number | Promise<number>;

const absolute = (hands: CommandContext, name: string) => path.resolve(hands.folder, name);

/** Entries of a directory, those of subdirectories with a trailing slash; undefined when it does not exist. */
function entries(view: View, folder: string): string[] | undefined {
  const prefix = folder === '/' ? '/' : `${folder}/`;
  const found = new Set<string>();
  for (const file of view.files.keys()) {
    if (!file.startsWith(prefix)) continue;
    const [first = '', ...deeper] = file.slice(prefix.length).split('/');
    found.add(deeper.length > 0 ? `${first}/` : first);
  }
  for (const place of view.folders) {
    if (place.startsWith(prefix)) found.add(`${place.slice(prefix.length).split('/')[0] ?? ''}/`);
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

const ls: Command = (hands, words) => {
  const options = words.filter((word) => word.startsWith('-')).join('');
  const asked = words.filter((word) => !word.startsWith('-'));
  const long = options.includes('l');
  const one = long || options.includes('1');
  let code = 0;
  const row = (name: string, folder: string) => {
    if (!long) return name.replace(/\/$/, '');
    const size = hands.view.files.get(path.join(folder, name))?.length ?? 4096;
    const mode = name.endsWith('/') ? 'drwxr-xr-x' : '-rw-r--r--';
    const { month, date: own, clock } = parts(hands.view.started);
    const when = `${month} ${own} ${clock.slice(0, 5)}`;
    return `${mode}    1 root     root     ${String(size).padStart(9)} ${when} ${name.replace(/\/$/, '')}`;
  };
  const show = (rows: string[]) => {
    if (rows.length > 0) hands.out(`${rows.join(one || hands.size() === undefined ? '\n' : '  ')}\n`);
  };
  for (const name of asked.length === 0 ? ['.'] : asked) {
    const place = absolute(hands, name);
    const inside = entries(hands.view, place);
    if (inside === undefined && hands.view.files.has(place)) show([row(place, '/')]);
    else if (inside === undefined) {
      hands.err(`ls: ${name}: No such file or directory\n`);
      code = 1;
    } else {
      if (asked.length > 1) hands.out(`${name}:\n`);
      const all = /[aA]/.test(options) ? inside : inside.filter((item) => !item.startsWith('.'));
      show(all.map((item) => row(item, place)));
    }
  }
  return code;
};

const cat: Command = async (hands, words) => {
  let code = 0;
  if (words.length === 0 || words.includes('-')) {
    for (let line = await hands.line(); line !== undefined; line = await hands.line()) hands.out(`${line}\n`);
  }
  for (const name of words) {
    if (name === '-') continue;
    const place = absolute(hands, name);
    const text = hands.view.files.get(place);
    if (text !== undefined) hands.out(text);
    else {
      const isFolder = entries(hands.view, place) !== undefined;
      hands.err(
        isFolder
          ? `cat: read error: Is a directory\n`
          : `cat: can't open '${name}': No such file or directory\n`,
      );
      code = 1;
    }
  }
  return code;
};

const date: Command = (hands, words) => {
  const format = words.find((word) => word.startsWith('+'));
  const now = new Date(hands.now());
  if (format === undefined) {
    const { weekday, month, date: own, clock, year } = parts(hands.now());
    hands.out(`${weekday} ${month} ${own} ${clock} UTC ${year}\n`);
  } else {
    const iso = now.toISOString();
    const codes: Readonly<Record<string, string>> = {
      s: String(Math.floor(hands.now() / 1000)),
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
    hands.out(`${format.slice(1).replace(/%(\w)/g, (all, letter: string) => codes[letter] ?? all)}\n`);
  }
  return 0;
};

const echo: Command = (hands, words) => {
  const options = /^-[ne]+$/.test(words[0] ?? '') ? (words[0] ?? '') : '';
  const text = words.slice(options === '' ? 0 : 1).join(' ');
  const codes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', e: '\u001b', '\\': '\\' };
  const told = options.includes('e')
    ? text
        .replace(/\\(?:033|x1b)/g, '\u001b')
        .replace(/\\([ntre\\])/g, (all, letter: string) => codes[letter] ?? all)
    : text;
  hands.out(options.includes('n') ? told : `${told}\n`);
  return 0;
};

const env: Command = (hands, words) => {
  const [name] = words;
  if (name === undefined) for (const [key, value] of hands.env) hands.out(`${key}=${value}\n`);
  else if (hands.env.has(name)) hands.out(`${hands.env.get(name) ?? ''}\n`);
  else return 1;
  return 0;
};

const ps: Command = (hands) => {
  const { user, process } = hands.view;
  hands.out('PID   USER     TIME  COMMAND\n');
  hands.out(`    1 ${user.padEnd(8)}  0:04 ${process}\n`);
  hands.out(`   29 ${user.padEnd(8)}  0:00 sh\n   35 ${user.padEnd(8)}  0:00 ps\n`);
  return 0;
};

const stty: Command = (hands, words) => {
  const size = hands.size();
  if (size === undefined) {
    hands.err('stty: standard input: Not a tty\n');
    return 1;
  }
  if (words[0] === 'size') hands.out(`${size.rows} ${size.columns}\n`);
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
  hostname: (hands) => (hands.out(`${hands.view.hostname}\n`), 0),
  pwd: (hands) => (hands.out(`${hands.folder}\n`), 0),
  clear: (hands) => (hands.out('\u001b[H\u001b[2J'), 0),
  sleep: async (hands, words) => {
    const seconds = Number(words[0]);
    if (!(seconds >= 0)) {
      hands.err(`sleep: invalid number '${words[0] ?? ''}'\n`);
      return 1;
    }
    return (await hands.sleep(seconds * 1000)) ? 0 : 130;
  },
  true: () => 0,
  false: () => 1,
};
