import type { JSONSchema } from 'monaco-yaml';
import type { EditorFault } from '../editor-props.ts';
import { monaco } from './monaco.ts';
import { followTheme } from './theme.ts';
import { setSchema, startYaml } from './yaml-language.ts';

/** Above this a text is only edited: holding it against a schema would keep a core busy for seconds, characters. */
const checkedLimit = 1_000_000;

/** Inputs of an editor. */
export interface EditorParts {
  readonly text: string;
  readonly label: string;
  readonly describedBy: string;
  readonly placeholder: string | undefined;
  readonly onChange: (text: string) => void;
  /** How many hints there are now. */
  readonly onHints: (count: number) => void;
  /** Esc was pressed, and there is nothing in the editor that it closes or takes back; absent where it leads nowhere. */
  readonly onLeave: (() => void) | undefined;
}

/** An editor of one text on the page. */
export interface MountedEditor {
  /** Puts another text into it, unless it stands there; can be undone as one step. */
  setText(text: string): void;
  setFaults(faults: readonly EditorFault[]): void;
  setSchema(schema: JSONSchema | undefined): void;
  /** Whether Tab moves the focus out of the editor: without it the keyboard could not get out. */
  setTabLeaves(leaves: boolean): void;
  /** Moves the cursor to a place and shows it. */
  goTo(line: number, column: number): void;
  /** Moves the focus into it and writes at the cursor, as typing does. */
  type(text: string): void;
  dispose(): void;
}

let editorCount = 0;

/** While none of what Esc closes or takes back is there. */
const isEscapeFree = [
  'suggestWidgetVisible',
  'findWidgetVisible',
  'parameterHintsVisible',
  'markersNavigationVisible',
  'editorHoverVisible',
  'messageVisible',
  'inSnippetMode',
  'editorHasMultipleSelections',
  'editorHasSelection',
]
  .map((key) => `!${key}`)
  .join(' && ');

/** The editor ends every line as a text began to; this page knows one end of lines. */
const withPlainEnds = (text: string) => text.replaceAll(/\r\n?/g, '\n');

/** Has Esc leave an editor while the editor has no use for it; not without a place to go. */
function leaveByEscape(editor: monaco.editor.IStandaloneCodeEditor, run: (() => void) | undefined): void {
  if (run === undefined) return;
  editor.addAction({
    id: 'wheelhouse.leave',
    label: 'Leave the editor',
    keybindings: [monaco.KeyCode.Escape],
    keybindingContext: isEscapeFree,
    run,
  });
}

/** Makes an editor inside an element. */
export function createEditor(element: HTMLElement, parts: EditorParts): MountedEditor {
  startYaml();
  followTheme();
  editorCount += 1;
  const uri = monaco.Uri.parse(`inmemory://yaml/${editorCount}/resource.yaml`);
  const languageOf = (text: string) => (text.length > checkedLimit ? 'plaintext' : 'yaml');
  const model = monaco.editor.createModel(parts.text, languageOf(parts.text), uri);
  model.updateOptions({ tabSize: 2, indentSize: 2, insertSpaces: true });
  const font = getComputedStyle(element);
  const editor = monaco.editor.create(element, {
    model,
    ariaLabel: parts.label,
    automaticLayout: true,
    fixedOverflowWidgets: true,
    fontFamily: font.getPropertyValue('--font-mono'),
    fontSize: 13,
    lineHeight: 18,
    tabSize: 2,
    insertSpaces: true,
    detectIndentation: false,
    lineNumbersMinChars: 3,
    minimap: { enabled: false },
    overviewRulerLanes: 0,
    bracketPairColorization: { enabled: false },
    padding: { top: 8, bottom: 8 },
    scrollBeyondLastLine: false,
    smoothScrolling: false,
    contextmenu: false,
    links: false,
    codeLens: false,
    colorDecorators: false,
    copyWithSyntaxHighlighting: false,
    dropIntoEditor: { enabled: false },
    occurrencesHighlight: 'off',
    wordBasedSuggestions: 'off',
    acceptSuggestionOnEnter: 'smart',
    // Pasted and typed text keeps its indentation.
    autoIndentOnPaste: false,
    formatOnPaste: false,
    formatOnType: false,
    ...(parts.placeholder === undefined ? {} : { placeholder: parts.placeholder }),
  });
  // The element the focus is on, whichever way this browser takes text in.
  const field = element.querySelector('[role=textbox], textarea');
  field?.setAttribute('aria-describedby', parts.describedBy);
  field?.setAttribute('aria-multiline', 'true');

  leaveByEscape(editor, parts.onLeave);
  let known = withPlainEnds(parts.text);
  const disposables = [
    model.onDidChangeContent(() => {
      const text = model.getValue(monaco.editor.EndOfLinePreference.LF);
      if (text === known) return;
      known = text;
      monaco.editor.setModelLanguage(model, languageOf(text));
      parts.onChange(text);
    }),
    monaco.editor.onDidChangeMarkers((changed) => {
      if (!changed.some((one) => one.toString() === uri.toString())) return;
      parts.onHints(monaco.editor.getModelMarkers({ resource: uri, owner: 'yaml' }).length);
    }),
  ];
  return {
    setText(text) {
      const plain = withPlainEnds(text);
      if (plain === known) return;
      known = plain;
      monaco.editor.setModelLanguage(model, languageOf(text));
      model.pushStackElement();
      model.pushEditOperations(
        editor.getSelections(),
        [{ range: model.getFullModelRange(), text, forceMoveMarkers: false }],
        () => null,
      );
      model.pushStackElement();
    },
    setFaults: (faults) =>
      monaco.editor.setModelMarkers(
        model,
        'wheelhouse',
        faults.map(({ line, column, message }) => {
          const at = Math.min(Math.max(line, 1), model.getLineCount());
          return {
            severity: monaco.MarkerSeverity.Error,
            message,
            startLineNumber: at,
            startColumn: column,
            endLineNumber: at,
            endColumn: Math.max(model.getLineMaxColumn(at), column + 1),
          };
        }),
      ),
    setSchema: (schema) => setSchema(uri.toString(), schema),
    setTabLeaves: (leaves) => editor.updateOptions({ tabFocusMode: leaves }),
    goTo(line, column) {
      editor.setPosition({ lineNumber: line, column });
      editor.revealLineInCenterIfOutsideViewport(line);
      editor.focus();
    },
    type(text) {
      editor.focus();
      if (text !== '') editor.trigger('keyboard', 'type', { text });
    },
    dispose() {
      for (const one of disposables) one.dispose();
      setSchema(uri.toString(), undefined);
      editor.dispose();
      model.dispose();
    },
  };
}
