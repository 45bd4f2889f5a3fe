import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { isSignByOption, strokeOf } from '../../../registry/keys/keys.ts';
import { createStrictDocument, withStrictElements } from './strict-document.ts';
import { themeOf } from './theme.ts';

/** Lines kept above what shows. */
const scrollback = 10_000;

/** A terminal on the page. */
export interface TerminalScreen {
  readonly columns: number;
  readonly rows: number;
  /** @param then called once it shows, before what is written after it */
  write(data: string | Uint8Array, then?: () => void): void;
  /** Empties it for another session. */
  reset(): void;
  focus(): void;
  hasFocus(): boolean;
  /** Fits it into its element, unless its size is given, and takes the page's colours over. */
  adapt(): void;
  resize(columns: number, rows: number): void;
  setReader(isOn: boolean): void;
  setWritable(isWritable: boolean): void;
  selection(): string;
  paste(text: string): void;
  dispose(): void;
}

export interface ScreenEvents {
  readonly onInput: (text: string) => void;
  readonly onResize: (columns: number, rows: number) => void;
  /** A program asked for the clipboard (OSC 52): it does not get it. */
  readonly onClipboardRefused: () => void;
  /** It shows what was recorded: it has the size of that, and takes no keys. */
  readonly isReplay?: boolean;
}

/** Puts a terminal into an element. */
export function createScreen(
  element: HTMLElement,
  { onInput, onResize, onClipboardRefused, isReplay = false }: ScreenEvents,
): TerminalScreen {
  const style = getComputedStyle(element);
  const terminal = new Terminal({
    documentOverride: createStrictDocument(),
    fontFamily: style.getPropertyValue('--font-mono').trim() || 'monospace',
    fontSize: Number.parseFloat(style.fontSize) || 13,
    lineHeight: 1.2,
    scrollback,
    cursorBlink: false,
    // Programs set colours for a dark or a light screen; ours may be the other one.
    minimumContrastRatio: 4.5,
    macOptionIsMeta: true,
    allowProposedApi: false,
    disableStdin: isReplay,
    theme: themeOf(element),
    // The addresses of a program's links may be anything: links are shown as text.
    linkHandler: { activate: () => {} },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.parser.registerOscHandler(52, () => {
    onClipboardRefused();
    return true;
  });
  terminal.attachCustomKeyEventHandler((event) => {
    // A sign that needs Option is typed; with any other key Option is what a shell calls Meta.
    if (event.type === 'keydown') terminal.options.macOptionIsMeta = !isSignByOption(event);
    const isCopy = strokeOf(event, false) === 'mod+shift+c';
    if (!isCopy || event.type !== 'keydown' || !terminal.hasSelection()) return true;
    event.preventDefault();
    void navigator.clipboard?.writeText(terminal.getSelection());
    return false;
  });
  withStrictElements(() => terminal.open(element));
  // Tab passes by the field for typing where there is none to do.
  if (isReplay && terminal.textarea !== undefined) terminal.textarea.tabIndex = -1;
  terminal.onData(onInput);
  terminal.onResize(({ cols, rows }) => onResize(cols, rows));
  const fitNow = () => {
    if (!isReplay && element.clientWidth > 0 && element.clientHeight > 0) fit.fit();
  };
  fitNow();
  return {
    get columns() {
      return terminal.cols;
    },
    get rows() {
      return terminal.rows;
    },
    write: (data, then) => terminal.write(data, then),
    reset: () => terminal.reset(),
    focus: () => terminal.focus(),
    hasFocus: () => element.contains(document.activeElement),
    adapt() {
      terminal.options.theme = themeOf(element);
      fitNow();
    },
    resize: (columns, rows) => terminal.resize(columns, rows),
    setReader: (isOn) => {
      terminal.options.screenReaderMode = isOn;
    },
    setWritable: (isWritable) => {
      terminal.options.disableStdin = !isWritable;
    },
    selection: () => terminal.getSelection(),
    paste: (text) => terminal.paste(text),
    dispose: () => terminal.dispose(),
  };
}
