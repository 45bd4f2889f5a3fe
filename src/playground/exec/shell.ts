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
  context: CommandContext & Prompting,
  words: readonly string[],
  isTerminal: boolean,
): Promise<number> {
  const name = baseName(words[0] ?? '');
  if (
    !context.view.shells.includes(name) &&
    (context.view.shells.length === 0 || commands[name] === undefined)
  ) {
    throw new NoSuchProgram(words[0] ?? '');
  }
  const shell = new Shell(context, isTerminal);
  try {
    return await shell.program(words);
  } catch (error) {
    if (error instanceof Exit) return error.code;
    throw error;
  }
}

class Shell {
  readonly #context: CommandContext & Prompting;
  readonly #isTerminal: boolean;
  #status = 0;

  constructor(context: CommandContext & Prompting, isTerminal: boolean) {
    this.#context = context;
    this.#isTerminal = isTerminal;
  }

  /** Runs a program or a shell of the image. */
  async program(words: readonly string[], context: CommandContext = this.#context): Promise<number> {
    const [first = '', ...rest] = words;
    const name = baseName(first);
    if (this.#context.view.shells.includes(name)) return await this.#nested(name, rest);
    const command = commands[name];
    if (command === undefined) throw new NoSuchProgram(first);
    return await command(context, rest);
  }

  async #nested(name: string, words: readonly string[]): Promise<number> {
    const flag = words.findIndex((word) => /^-\w*c$/.test(word));
    const folder = this.#context.folder;
    try {
      if (flag >= 0) {
        const script = words[flag + 1];
        if (script !== undefined) return await this.run(script);
        this.#context.err(`${name}: -c requires an argument\n`);
        return 2;
      }
      return await this.#interact(name);
    } catch (error) {
      if (error instanceof Exit) return error.code;
      throw error;
    } finally {
      this.#context.folder = folder;
    }
  }

  async #interact(name: string): Promise<number> {
    const context = this.#context;
    if (this.#isTerminal) context.out(banner);
    for (;;) {
      const promptSign = context.view.user === 'root' ? '#' : '$';
      const folder = context.folder === '/root' ? '~' : context.folder;
      const text =
        name === 'bash'
          ? `${context.view.user}@${context.view.hostname}:${folder}${promptSign} `
          : `${folder} ${promptSign} `;
      const line = this.#isTerminal ? await context.prompt(text) : await context.line();
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
      this.#context.err(`sh: ${error.message}\n`);
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
    return this.#context.env.get(name);
  }

  async #command({
    assignments,
    words: wordNodes,
    redirects,
  }: Extract<Node, { kind: 'command' }>): Promise<number> {
    const context = this.#context;
    const textOf = (word: Argument) => expand(word, (name) => this.#value(name));
    const words = wordNodes
      .map((word) => ({ word, text: textOf(word) }))
      // An empty expansion without quotes is dropped.
      .filter(({ word, text }) => text !== '' || /['"]/.test(word.text))
      .map(({ text }) => text);
    for (const { name, value } of assignments)
      context.env.set(name, value.type === 'Word' ? textOf(value) : '');
    let { out, err } = context;
    for (const { from, to } of redirects) {
      if (to === '&1') err = out;
      else if (to === '&2') out = err;
      else if (to !== '/dev/null') {
        context.err(`sh: can't create ${to}: Read-only file system\n`);
        return 1;
      } else if (from === 2) err = () => undefined;
      else out = () => undefined;
    }
    const [name, ...rest] = words;
    if (name === undefined) return 0;
    const builtIn = this.#builtIn(name);
    const view: CommandContext = {
      ...context,
      get folder() {
        return context.folder;
      },
      set folder(next: string) {
        context.folder = next;
      },
      out,
      err,
    };
    if (builtIn !== undefined) return await builtIn(view, rest);
    try {
      return await this.program(words, view);
    } catch (error) {
      if (!(error instanceof NoSuchProgram)) throw error;
      err(`sh: ${name}: not found\n`);
      return 127;
    }
  }

  /** The shell's built-in of this name. */
  #builtIn(name: string): Command | undefined {
    switch (name) {
      case 'exit':
        return (_hands, [code]) => {
          throw new Exit(code === undefined ? this.#status : Number(code) & 255);
        };
      case 'exec':
        return async (context, words) => {
          if (words.length === 0) return 0;
          const isInstalled = this.#isInstalled(baseName(words[0] ?? ''));
          if (!isInstalled) context.err(`sh: exec: ${words[0] ?? ''}: not found\n`);
          throw new Exit(isInstalled ? await this.program(words, context) : 127);
        };
      case 'cd':
        return (context, [to = '/root']) => {
          const folder = path.resolve(context.folder, to);
          const inside = (item: string) =>
            item === folder || item.startsWith(`${folder === '/' ? '' : folder}/`);
          const { view } = context;
          const isFolder =
            folder === '/root' ||
            view.folders.some(inside) ||
            Array.from(view.files.keys()).some((file) => file !== folder && inside(file));
          if (isFolder) context.folder = folder;
          else context.err(`sh: cd: can't cd to ${to}: No such file or directory\n`);
          return isFolder ? 0 : 1;
        };
      case 'export':
        return (context, words) => {
          for (const word of words) {
            const [key = '', ...value] = word.split('=');
            if (value.length > 0) context.env.set(key, value.join('='));
          }
          return 0;
        };
      case 'unset':
        return (context, words) => {
          for (const word of words) context.env.delete(word);
          return 0;
        };
      case 'command':
      case 'which':
        return (context, words) => {
          const names = words.filter((word) => !word.startsWith('-'));
          for (const word of names) if (this.#isInstalled(word)) context.out(`/bin/${word}\n`);
          return names.every((word) => this.#isInstalled(word)) ? 0 : 127;
        };
      case 'help':
        return (context) => {
          context.out(help);
          return 0;
        };
      case ':':
        return () => 0;
      default:
        return undefined;
    }
  }

  #isInstalled(name: string): boolean {
    return this.#context.view.shells.includes(name) || commands[name] !== undefined;
  }
}
