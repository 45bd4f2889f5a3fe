import path from 'node:path/posix';
import { type Command, commands, type CommandContext } from './commands.ts';
import { type Argument, expand, type Node, parse, SyntaxProblem } from './parse.ts';

/** The image has no such program. */
export class NoSuchProgram extends Error {
  readonly program: string;

  constructor(program: string) {
    super(`exec: "${program}": executable file not found in $PATH`);
    this.program = program;
  }
}

/** Ends the shell with an exit code. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super();
    this.code = code;
  }
}

/** An interactive source of command lines. */
export interface Prompting {
  /** Shows a prompt and reads a line; undefined at the end of input. */
  prompt(text: string): Promise<string | undefined>;
}

const banner =
  'This is the small shell of the playground: it knows the view of this pod, and nothing runs here.\nType help for what it knows.\n';
const help = `This is the small shell of the playground. No process runs in its pods: what you see is what the pod's
own specification, mounts and environment say. It knows:
  ${Object.keys(commands).join(' ')}
  cd exit export unset command which help sh
with quotes, variables ($NAME, $?), ; && || and > /dev/null.
`;

const baseName = (word: string) => path.basename(word);

/** Runs the command of an exec request; returns its exit code. Throws NoSuchProgram. */
export async function runCommand(
  hands: CommandContext & Prompting,
  words: readonly string[],
  isTerminal: boolean,
): Promise<number> {
  const name = baseName(words[0] ?? '');
  if (!hands.view.shells.includes(name) && (hands.view.shells.length === 0 || commands[name] === undefined)) {
    throw new NoSuchProgram(words[0] ?? '');
  }
  const shell = new Shell(hands, isTerminal);
  try {
    return await shell.program(words);
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}

class Shell {
  readonly #hands: CommandContext & Prompting;
  readonly #isTerminal: boolean;
  #status = 0;

  constructor(hands: CommandContext & Prompting, isTerminal: boolean) {
    this.#hands = hands;
    this.#isTerminal = isTerminal;
  }

  /** Runs a program or a shell of the image. */
  async program(words: readonly string[], hands: CommandContext = this.#hands): Promise<number> {
    const [first = '', ...rest] = words;
    const name = baseName(first);
    if (this.#hands.view.shells.includes(name)) return await this.#nested(name, rest);
    const command = commands[name];
    if (command === undefined) throw new NoSuchProgram(first);
    return await command(hands, rest);
  }

  async #nested(name: string, words: readonly string[]): Promise<number> {
    const flag = words.findIndex((word) => /^-\w*c$/.test(word));
    const folder = this.#hands.folder;
    try {
      if (flag >= 0) {
        const script = words[flag + 1];
        if (script !== undefined) return await this.run(script);
        this.#hands.err(`${name}: -c requires an argument\n`);
        return 2;
      }
      return await this.#interact(name);
    } catch (error) {
      if (error instanceof Exit) return error.code;
      throw error;
    } finally {
      this.#hands.folder = folder;
    }
  }

  async #interact(name: string): Promise<number> {
    const hands = this.#hands;
    if (this.#isTerminal) hands.out(banner);
    for (;;) {
      const sign = hands.view.user === 'root' ? '#' : '$';
      const place = hands.folder === '/root' ? '~' : hands.folder;
      const text =
        name === 'bash' ? `${hands.view.user}@${hands.view.hostname}:${place}${sign} ` : `${place} ${sign} `;
      const line = this.#isTerminal ? await hands.prompt(text) : await hands.line();
      if (line === undefined) return this.#status;
      await this.run(line);
    }
  }

  /** Runs a script; returns the code of its last command. */
  async run(script: string): Promise<number> {
    try {
      const node = parse(script);
      if (node !== undefined) this.#status = await this.#node(node);
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      this.#hands.err(`sh: ${error.message}\n`);
      this.#status = 2;
    }
    return this.#status;
  }

  async #node(node: Node): Promise<number> {
    switch (node.kind) {
      case 'group':
        return await this.#node(node.body);
      case 'list': {
        this.#status = await this.#node(node.left);
        const goesOn = node.op === ';' || (node.op === '&&') === (this.#status === 0);
        return goesOn ? await this.#node(node.right) : this.#status;
      }
      case 'command':
        return await this.#command(node);
      default:
        return node satisfies never;
    }
  }

  #value(name: string): string | undefined {
    if (name === '?') return String(this.#status);
    if (name === '$') return '29';
    if (name === '#') return '0';
    if (name === '0') return 'sh';
    return this.#hands.env.get(name);
  }

  async #command({
    assignments,
    words: given,
    redirects,
  }: Extract<Node, { kind: 'command' }>): Promise<number> {
    const hands = this.#hands;
    const textOf = (word: Argument) => expand(word, (name) => this.#value(name));
    const words = given
      .map((word) => ({ word, text: textOf(word) }))
      // An empty expansion without quotes is dropped.
      .filter(({ word, text }) => text !== '' || /['"]/.test(word.text))
      .map(({ text }) => text);
    for (const { name, value } of assignments)
      hands.env.set(name, value.type === 'Word' ? textOf(value) : '');
    let { out, err } = hands;
    for (const { from, to } of redirects) {
      if (to === '&1') err = out;
      else if (to === '&2') out = err;
      else if (to !== '/dev/null') {
        hands.err(`sh: can't create ${to}: Read-only file system\n`);
        return 1;
      } else if (from === 2) err = () => undefined;
      else out = () => undefined;
    }
    const [name, ...rest] = words;
    if (name === undefined) return 0;
    const own = this.#own(name);
    const view: CommandContext = {
      ...hands,
      get folder() {
        return hands.folder;
      },
      set folder(place: string) {
        hands.folder = place;
      },
      out,
      err,
    };
    if (own !== undefined) return await own(view, rest);
    try {
      return await this.program(words, view);
    } catch (error) {
      if (!(error instanceof NoSuchProgram)) throw error;
      err(`sh: ${name}: not found\n`);
      return 127;
    }
  }

  /** The shell's built-in of this name. */
  #own(name: string): Command | undefined {
    switch (name) {
      case 'exit':
        return (_hands, [code]) => {
          throw new Exit(code === undefined ? this.#status : Number(code) & 255);
        };
      case 'exec':
        return async (hands, words) => {
          if (words.length === 0) return 0;
          const known = this.#finds(baseName(words[0] ?? ''));
          if (!known) hands.err(`sh: exec: ${words[0] ?? ''}: not found\n`);
          throw new Exit(known ? await this.program(words, hands) : 127);
        };
      case 'cd':
        return (hands, [to = '/root']) => {
          const place = path.resolve(hands.folder, to);
          const inside = (item: string) =>
            item === place || item.startsWith(`${place === '/' ? '' : place}/`);
          const { view } = hands;
          const isFolder =
            place === '/root' ||
            view.folders.some(inside) ||
            Array.from(view.files.keys()).some((file) => file !== place && inside(file));
          if (isFolder) hands.folder = place;
          else hands.err(`sh: cd: can't cd to ${to}: No such file or directory\n`);
          return isFolder ? 0 : 1;
        };
      case 'export':
        return (hands, words) => {
          for (const word of words) {
            const [key = '', ...value] = word.split('=');
            if (value.length > 0) hands.env.set(key, value.join('='));
          }
          return 0;
        };
      case 'unset':
        return (hands, words) => {
          for (const word of words) hands.env.delete(word);
          return 0;
        };
      case 'command':
      case 'which':
        return (hands, words) => {
          const asked = words.filter((word) => !word.startsWith('-'));
          for (const word of asked) if (this.#finds(word)) hands.out(`/bin/${word}\n`);
          return asked.every((word) => this.#finds(word)) ? 0 : 127;
        };
      case 'help':
        return (hands) => {
          hands.out(help);
          return 0;
        };
      case ':':
        return () => 0;
      default:
        return undefined;
    }
  }

  #finds(name: string): boolean {
    return this.#hands.view.shells.includes(name) || commands[name] !== undefined;
  }
}
