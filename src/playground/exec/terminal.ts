/** Input of a session: lines of a pipe, or keys of a terminal with line editing. */
export class Input {
  readonly #isTerminal: boolean;
  readonly #echo: (text: string) => void;
  readonly #pendingReads: ((line: string | undefined) => void)[] = [];
  readonly #lines: string[] = [];
  readonly #history: string[] = [];
  #historyIndex = 0;
  #prompt = '';
  #buffer = '';
  #escape = '';
  #ended = false;
  #interrupt: (() => void) | undefined;

  /** `echo` writes to the terminal; a pipe echoes nothing. */
  constructor(isTerminal: boolean, echo: (text: string) => void) {
    this.#isTerminal = isTerminal;
    this.#echo = echo;
  }

  /** The next line; undefined at the end of input. */
  line(prompt = ''): Promise<string | undefined> {
    this.#prompt = prompt;
    this.#historyIndex = this.#history.length;
    if (prompt !== '') this.#echo(prompt + this.#buffer);
    const ready = this.#lines.shift();
    if (ready !== undefined) return Promise.resolve(ready);
    if (this.#ended) {
      const remaining = this.#buffer;
      this.#buffer = '';
      return Promise.resolve(remaining === '' ? undefined : remaining);
    }
    return new Promise((resolve) => {
      this.#pendingReads.push(resolve);
    });
  }

  /** Calls at the next interrupt (Ctrl+C) while a command runs. Returns a function that removes the callback. */
  onInterrupt(call: () => void): () => void {
    this.#interrupt = call;
    return () => {
      if (this.#interrupt === call) this.#interrupt = undefined;
    };
  }

  #deliver(line: string | undefined): void {
    const next = this.#pendingReads.shift();
    if (next !== undefined) next(line);
    else if (line !== undefined) this.#lines.push(line);
    else this.#ended = true;
  }

  /** Marks the end of input. */
  end(): void {
    this.#ended = true;
    if (this.#pendingReads.length === 0) return;
    const remaining = this.#buffer;
    this.#buffer = '';
    this.#deliver(remaining === '' ? undefined : remaining);
    while (this.#pendingReads.length > 0) this.#deliver(undefined);
  }

  /** Processes received text. */
  take(text: string): void {
    if (this.#isTerminal) {
      for (const key of text) this.#key(key);
      return;
    }
    const parts = (this.#buffer + text).split('\n');
    this.#buffer = parts.pop() ?? '';
    for (const part of parts) this.#deliver(part.replace(/\r$/, ''));
  }

  #replace(line: string): void {
    this.#buffer = line;
    this.#echo(`\r\u001b[K${this.#prompt}${line}`);
  }

  #key(key: string): void {
    if (this.#escape !== '' || key === '\u001b') {
      this.#escape += key;
      // CSI and SS3 sequences end with a letter or ~.
      if (this.#escape.length > 1 && !/^[[O][\d;]*$/.test(this.#escape.slice(1))) {
        this.#arrow(this.#escape);
        this.#escape = '';
      }
      return;
    }
    switch (key) {
      case '\r':
      case '\n': {
        const line = this.#buffer;
        this.#buffer = '';
        this.#echo('\r\n');
        if (line.trim() !== '' && this.#history.at(-1) !== line) this.#history.push(line);
        this.#deliver(line);
        return;
      }
      case '\u0003':
        this.#echo('^C\r\n');
        this.#buffer = '';
        if (this.#interrupt !== undefined) this.#interrupt();
        else this.#deliver('');
        return;
      case '\u0004':
        if (this.#buffer === '') this.#deliver(undefined);
        return;
      case '\u007f':
      case '\b':
        if (this.#buffer === '') return;
        this.#buffer = Array.from(this.#buffer).slice(0, -1).join('');
        this.#echo('\b \b');
        return;
      case '\u0015':
        this.#replace('');
        return;
      case '\u0017':
        this.#replace(this.#buffer.replace(/\S*\s*$/, ''));
        return;
      case '\u000c':
        this.#echo(`\u001b[H\u001b[2J${this.#prompt}${this.#buffer}`);
        return;
      default:
        if (key < ' ') return;
        this.#buffer += key;
        this.#echo(key);
    }
  }

  #arrow(sequence: string): void {
    const last = sequence.at(-1);
    if (last !== 'A' && last !== 'B') return;
    this.#historyIndex = Math.min(
      this.#history.length,
      Math.max(0, this.#historyIndex + (last === 'A' ? -1 : 1)),
    );
    this.#replace(this.#history[this.#historyIndex] ?? '');
  }
}
